// SPDX-License-Identifier: BSD-3-Clause
// The results of a study: a table, filtered and sorted.

export interface Column {
  name: string;
  unit: string;
  kind: 'run' | 'input' | 'measure' | 'end';
  numeric: boolean;
}

export type Cell = number | string | null;

export interface Study {
  name: string;
  description: string;
  runs: number; // of the study
  inAll: number; // rows that the results have, of which `rows` are the first
  columns: Column[];
  rows: Cell[][];
}

const KINDS: Column['kind'][] = ['run', 'input', 'measure', 'end'];

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function cell(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

export function readStudy(json: unknown): Study {
  const m = record(json);
  const rows = (Array.isArray(m['rows']) ? m['rows'] : []).map((row: unknown) =>
    (Array.isArray(row) ? row : []).map(cell),
  );
  const columns = (Array.isArray(m['columns']) ? m['columns'] : []).map((item: unknown, i) => {
    const column = record(item);
    return {
      name: String(column['name'] ?? ''),
      unit: String(column['unit'] ?? ''),
      kind: KINDS.find((kind) => kind === column['kind']) ?? 'end',
      numeric: !rows.some((row) => typeof row[i] === 'string'),
    };
  });
  return {
    name: String(m['name'] ?? ''),
    description: String(m['description'] ?? ''),
    runs: typeof m['runs'] === 'number' ? m['runs'] : rows.length,
    inAll: typeof m['rows_in_all'] === 'number' ? m['rows_in_all'] : rows.length,
    columns,
    rows,
  };
}

// --- filter ------------------------------------------------------------------------------------

type Test = (row: Cell[]) => boolean;

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

function compare(columns: Column[], text: string): Test | string {
  const m = /^\s*([^<>=!]+?)\s*(<=|>=|!=|<|>|=)\s*(.+?)\s*$/.exec(text);
  if (!m) return `'${text.trim()}' is no comparison, such as speed > 60`;
  const [, name = '', sign = '', value = ''] = m;
  const at = columns.findIndex((c) => c.name === name);
  if (at < 0) return `there is no column '${name}'`;
  const number = Number(value);
  if (columns[at]?.numeric) {
    if (!Number.isFinite(number)) return `'${value}' is no number`;
    const holds = COMPARISONS[sign];
    return (row) => {
      const x = row[at];
      return typeof x === 'number' && !!holds?.(x, number);
    };
  }
  if (sign !== '=' && sign !== '!=') return `'${name}' is a word: only = and != go with it`;
  return (row) => (row[at] === value) === (sign === '=');
}

// "speed > 60 and surface = wet": a test of rows, or what is wrong. Nothing: all rows.
export function readFilter(columns: Column[], text: string): Test | string {
  if (!text.trim()) return () => true;
  const tests: Test[] = [];
  for (const part of text.split(/\s+and\s+|,/i)) {
    const test = compare(columns, part);
    if (typeof test === 'string') return test;
    tests.push(test);
  }
  return (row) => tests.every((test) => test(row));
}

// --- order -------------------------------------------------------------------------------------

export interface Order {
  column: number;
  descending: boolean;
}

// What is missing comes last in either direction; equal rows stay in order of runs.
export function sorted(rows: Cell[][], order: Order): Cell[][] {
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((p, q) => {
    const a = p[order.column] ?? null;
    const b = q[order.column] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * String(a).localeCompare(String(b));
  });
}
