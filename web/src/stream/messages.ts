// SPDX-License-Identifier: BSD-3-Clause
// Text messages in both directions.

export type LogOrder = 'pause' | 'resume' | 'clear' | 'session';

// A log that the world names.
export interface LogStatus {
  name: string;
  state: string;
  session: number;
  rows: number;
  file: string;
}

// Something about the run that everybody should know.
export interface Warning {
  time: number;
  message: string;
}

// The run of a study that is simulated: -1 for none. Once it is over: was its state that of the study?
export interface StudyStatus {
  run: number;
  outcome: '' | 'same' | 'other';
}

export type Request =
  | { type: 'hello' | 'pause' | 'resume' | 'reset' }
  | { type: 'step'; n: number }
  | { type: 'rate'; value: number }
  | {
      type: 'drive';
      vehicle: number;
      steering: number;
      throttle: number;
      brake: number;
      handbrake: boolean;
    }
  | { type: 'release'; vehicle: number }
  | { type: 'command'; vehicle: number; values: number[] }
  | { type: 'set'; path: string; value: string }
  | { type: 'save' | 'restore'; slot: number }
  | { type: 'subscribe'; signals: string[] }
  | { type: 'watch'; sensors: number[]; layers: string[]; maps: number[]; paths: number[] }
  | { type: 'seek'; time: number }
  | { type: 'loop'; on: boolean }
  | { type: 'log'; log: number; order: LogOrder }
  | { type: 'run'; index: number };

export interface Status {
  type: 'status';
  mode: 'live' | 'replay';
  paused: boolean;
  rate: number;
  time: number;
  end: number | null;
  driven: string[];
  slots: number[];
  clients: number;
  recording: string | null;
  logs: LogStatus[];
  warnings: Warning[];
  study: StudyStatus | null; // null: the world is none of a study
}

export type Reply =
  | Status
  | { type: 'scene' }
  | { type: 'parameter'; path: string; value: string }
  | { type: 'error'; message: string };

// null for anything that is no message of the contract.
export function readReply(text: string): Reply | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof json !== 'object' || json === null) return null;
  const m = json as Record<string, unknown>;
  switch (m['type']) {
    case 'status':
      return {
        type: 'status',
        mode: m['mode'] === 'replay' ? 'replay' : 'live',
        paused: m['paused'] === true,
        rate: typeof m['rate'] === 'number' ? m['rate'] : 1,
        time: typeof m['time'] === 'number' ? m['time'] : 0,
        end: typeof m['end'] === 'number' ? m['end'] : null,
        driven: Array.isArray(m['driven']) ? m['driven'].map(String) : [],
        slots: readSlots(m['slots']),
        clients: typeof m['clients'] === 'number' ? m['clients'] : 1,
        recording: typeof m['recording'] === 'string' ? m['recording'] : null,
        logs: readLogs(m['logs']),
        warnings: readWarnings(m['warnings']),
        study: readStudyStatus(m['study']),
      };
    case 'scene':
      return { type: 'scene' };
    case 'parameter':
      return { type: 'parameter', path: String(m['path']), value: String(m['value']) };
    case 'error':
      return { type: 'error', message: String(m['message']) };
    default:
      return null;
  }
}

// Numbers of the slots, or one flag for each.
function readSlots(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  if (value.every((x) => typeof x === 'boolean')) return value.flatMap((on, i) => (on ? [i] : []));
  return value.filter((x): x is number => typeof x === 'number');
}

function readWarnings(value: unknown): Warning[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => {
    const warning = (typeof item === 'object' && item ? item : {}) as Record<string, unknown>;
    return {
      time: typeof warning['time'] === 'number' ? warning['time'] : 0,
      message: String(warning['message'] ?? ''),
    };
  });
}

function readStudyStatus(value: unknown): StudyStatus | null {
  if (typeof value !== 'object' || value === null) return null;
  const { run, outcome } = value as Record<string, unknown>;
  return {
    run: typeof run === 'number' ? run : -1,
    outcome: outcome === 'same' || outcome === 'other' ? outcome : '',
  };
}

function readLogs(value: unknown): LogStatus[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => {
    const log = (typeof item === 'object' && item ? item : {}) as Record<string, unknown>;
    return {
      name: String(log['name'] ?? ''),
      state: String(log['state'] ?? ''),
      session: typeof log['session'] === 'number' ? log['session'] : 1,
      rows: typeof log['rows'] === 'number' ? log['rows'] : 0,
      file: String(log['file'] ?? ''),
    };
  });
}
