import assert from 'node:assert/strict';
import { readRow, TableRows } from '../../../src/dashboard/server/table-rows.ts';
import { filteredRows, sortedRows } from '../../../src/dashboard/views/sorted-rows.ts';

const row = (name: string, ...cells: readonly (string | number)[]) =>
  readRow({ cells: [name, ...cells], object: { metadata: { uid: name, name, namespace: 'n' } } });
const namesOf = (rows: Iterable<{ readonly name: string }>): string[] => [...rows].map(({ name }) => name);

describe('the rows of a table', () => {
  it('are bounded by their number, and by the bytes of their texts', () => {
    const few = new TableRows({ rows: 2, bytes: 1_000_000 });
    for (const name of ['a', 'b', 'c']) few.set(row(name));
    assert.deepEqual([namesOf(few.values()), few.isCut], [['a', 'b'], true]);
    const small = new TableRows({ rows: 1000, bytes: 20_000 });
    for (let index = 0; index < 100; index++) small.set(row(`${index}`, 'x'.repeat(900)));
    assert.ok(small.size > 2 && small.size < 8, `${small.size} rows`);
    assert.equal(small.isFull, true);
  });

  it('take the place of earlier states, also when the table is full, and free what deleted ones took', () => {
    const rows = new TableRows({ rows: 2, bytes: 1_000_000 });
    for (const each of [row('a', 1), row('b', 1), row('a', 2)]) rows.set(each);
    assert.deepEqual([rows.size, rows.isCut], [2, false]);
    rows.delete('b');
    rows.set(row('c'));
    assert.deepEqual([namesOf(rows.values()), rows.isCut], [['a', 'c'], false]);
    const { version } = rows;
    rows.delete('unknown');
    assert.equal(rows.version, version);
  });

  it('have cells that are cut, numbers that stay numbers, and a text for filters', () => {
    const { cells, text } = row('Name', 'y'.repeat(5000), 7);
    assert.equal(cells[1], `${'y'.repeat(1000)}…`);
    assert.equal(cells[2], 7);
    assert.match(text, /^n\nname\ny+…\n7$/);
  });

  it('are in the order of a column, numbers in texts by their values, then by place', () => {
    const rows = [row('node-10', 2), row('node-9', 2), row('Node-8', 10)];
    assert.deepEqual(namesOf(sortedRows(rows, { column: -1, descending: false }, -1)), ['Node-8', 'node-9', 'node-10']);
    assert.deepEqual(namesOf(sortedRows(rows, { column: 1, descending: false }, -1)), ['node-9', 'node-10', 'Node-8']);
    assert.deepEqual(namesOf(sortedRows(rows, { column: 1, descending: true }, -1)), ['Node-8', 'node-9', 'node-10']);
  });

  it('are found by all words of a filter', () => {
    const rows = [row('web', 'Running'), row('web-2', 'Pending'), row('db', 'Running')];
    assert.deepEqual(namesOf(filteredRows(rows, ' WEB  run ')), ['web']);
    assert.equal(filteredRows(rows, '  '), rows);
  });
});
