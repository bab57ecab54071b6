import assert from 'node:assert/strict';
import { updateTable } from '../../bench/figures-table.ts';
import type { ReportRow } from '../../bench/figures.ts';

const get: ReportRow = {
  scenario: 'get, 1 client',
  figures: { ours: { cpuMicros: 300, operationsPerSecond: 1600, p50Ms: 0.5, p99Ms: 2 }, bare: { cpuMicros: 100 } },
  compared: 'cpuMicros',
  bar: 2,
};
const memory: ReportRow = {
  scenario: 'memory',
  figures: { ours: { residentBytes: 2 ** 20 }, bare: { residentBytes: 2 ** 21 }, peer: { residentBytes: 2 ** 22 } },
  compared: 'residentBytes',
};
const empty = 'Before.\n<!-- figures -->\n<!-- end of figures -->\nBehind.\n';

describe('the table of figures', () => {
  it('has a line for each row, with units, and says which bars are missed', () => {
    const page = updateTable(empty, [get, memory], '2026-11-28');
    assert.match(page, /^Before\.\n<!-- figures -->\n\n\| scenario \|/);
    assert.match(page, /\|\n\n<!-- end of figures -->\nBehind\.\n$/);
    assert.ok(
      page.includes('| get, 1 client | 3.00 missed | 2 | 300 µs | 100 µs |  | 1600 | 0.50 | 2.00 | 2026-11-28 |'),
    );
    assert.ok(page.includes('| memory | 0.50 |  | 1 MiB | 2 MiB | 4 MiB |  |  |  | 2026-11-28 |'));
  });

  it('keeps the figures of scenarios that were not measured again', () => {
    const before = updateTable(empty, [get, memory], '2026-11-27');
    const after = updateTable(before, [{ ...get, bar: 3 }], '2026-11-28');
    assert.deepEqual(
      after.split('\n').filter((line, index) => line !== before.split('\n')[index]),
      ['| get, 1 client | 3.00 | 3 | 300 µs | 100 µs |  | 1600 | 0.50 | 2.00 | 2026-11-28 |'],
    );
  });

  it('is refused by a page without its marks', () => {
    assert.throws(() => updateTable('No table.\n', [get], '2026-11-28'), /must have the lines/);
  });
});
