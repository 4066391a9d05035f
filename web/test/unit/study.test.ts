// SPDX-License-Identifier: BSD-3-Clause
// Tables of studies: what is read, filtered, sorted and told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf, ticksOf } from '../../src/panels/study_chart.ts';
import { describeRun, shownCell } from '../../src/panels/study.ts';
import { readReply } from '../../src/stream/messages.ts';
import { readFilter, readStudy, sorted, type Cell } from '../../src/stream/study.ts';

const study = readStudy({
  name: 'lane',
  runs: 5,
  rows_in_all: 4,
  columns: [
    { name: 'run', unit: '', kind: 'run' },
    { name: 'surface', unit: '', kind: 'input' },
    { name: 'speed', unit: 'km/h', kind: 'input' },
    { name: 'clearance', unit: 'm', kind: 'measure' },
    { name: 'pass', unit: '', kind: 'end' },
  ],
  rows: [
    [0, 'dry', 50, 0.2, 1],
    [1, 'wet', 60, -0.1, 0],
    [2, 'dry', 70, null, 0],
    [4, 'wet', 45, 0.3, 1],
  ],
});

const runs = (rows: Cell[][]): Cell[] => rows.map((row) => row[0] ?? null);
const kept = (text: string): Cell[] => {
  const filter = readFilter(study.columns, text);
  assert.equal(typeof filter, 'function', String(filter));
  return typeof filter === 'function' ? runs(study.rows.filter(filter)) : [];
};

test('columns that hold words are no numbers', () => {
  assert.deepEqual(
    study.columns.map((c) => c.numeric),
    [true, false, true, true, true],
  );
  assert.equal(study.inAll, 4);
  assert.deepEqual(readStudy(null).rows, []);
  assert.deepEqual(readStudy({ columns: 3, rows: [[{}]] }).rows, [[null]]);
});

test('filters join comparisons', () => {
  assert.deepEqual(kept(''), [0, 1, 2, 4]);
  assert.deepEqual(kept('speed > 50'), [1, 2]);
  assert.deepEqual(kept('speed>=50 and surface = dry'), [0, 2]);
  assert.deepEqual(kept('surface != dry, pass = 1'), [4]);
  assert.deepEqual(kept('clearance < 1e9'), [0, 1, 4], 'what is missing is no number');
  assert.deepEqual(kept('speed <= 45'), [4]);
});

test('filters say what is wrong', () => {
  const wrong = (text: string): string => String(readFilter(study.columns, text));
  assert.match(wrong('sped > 3'), /no column 'sped'/);
  assert.match(wrong('speed > fast'), /'fast' is no number/);
  assert.match(wrong('surface > dry'), /only = and !=/);
  assert.match(wrong('speed'), /no comparison/);
  assert.match(wrong('speed > 3 and '), /'' is no comparison/);
});

test('order: what is missing comes last in either direction', () => {
  assert.deepEqual(runs(sorted(study.rows, { column: 3, descending: false })), [1, 0, 4, 2]);
  assert.deepEqual(runs(sorted(study.rows, { column: 3, descending: true })), [4, 0, 1, 2]);
  assert.deepEqual(runs(sorted(study.rows, { column: 1, descending: false })), [0, 2, 1, 4]);
});

test('what is told of a run', () => {
  const told = (study: unknown) => readReply(JSON.stringify({ type: 'status', study }));
  const reply = told({ run: 17, outcome: 'same' });
  assert.deepEqual(reply?.type === 'status' && reply.study, { run: 17, outcome: 'same' });
  const none = told(undefined);
  assert.equal(none?.type === 'status' && none.study, null);
  assert.match(describeRun({ run: 17, outcome: 'same' }), /Run 17 is over: the same bits/);
  assert.match(describeRun({ run: 3, outcome: 'other' }), /another state/);
  assert.match(describeRun({ run: -1, outcome: '' }), /none of the runs/);
  assert.equal(describeRun(null), '');
  assert.deepEqual([null, 0.25, 'dry'].map(shownCell), ['–', '0.25', 'dry']);
});

test('axes', () => {
  assert.deepEqual(ticksOf({ low: 0.4, high: 5.2 }, 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(
    ticksOf({ low: -0.11, high: 0.11 }, 5).map((t) => Math.round(t * 100)),
    [-10, -5, 0, 5, 10],
  );
  assert.deepEqual(rangeOf([]), { low: 0, high: 1 });
  const same = rangeOf([3, 3, NaN]);
  assert.ok(same.low < 3 && same.high > 3);
});
