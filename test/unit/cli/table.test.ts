import assert from 'node:assert/strict';
import { columnWidths, formatRows } from '../../../src/cli/format-rows.ts';
import { readTable, type TableOptions } from '../../../src/cli/printers/table.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const options = { namespaces: false, nowMs: Date.parse('2026-01-02T00:00:00Z') };

function shown(response: JsonObject, columns: TableOptions) {
  const { headings, rows } = readTable(response, columns);
  return { headings, rows: rows.map(({ cells }) => cells) };
}

describe('the table printer', () => {
  it('shows the columns of the server that are not for wide output', () => {
    const table = {
      kind: 'Table',
      columnDefinitions: [
        { name: 'Name', priority: 0 },
        { name: 'Hidden', priority: 1 },
        { name: 'Count', priority: 0 },
      ],
      rows: [{ cells: ['a', 'x', 3], object: { metadata: { namespace: 'n' } } }],
    };
    assert.deepEqual(shown(table, options), { headings: ['NAME', 'COUNT'], rows: [['a', '3']] });
    assert.deepEqual(shown(table, { ...options, namespaces: true }), {
      headings: ['NAMESPACE', 'NAME', 'COUNT'],
      rows: [['n', 'a', '3']],
    });
  });

  it('shows name and age of objects where the server sends no Table', () => {
    const object = { kind: 'Secret', metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' } };
    assert.deepEqual(shown(object, options), { headings: ['NAME', 'AGE'], rows: [['a', '24h']] });
    assert.deepEqual(shown({ kind: 'SecretList', items: [object] }, options).rows, [['a', '24h']]);
  });

  it('aligns columns, and pads all cells but the last', () => {
    const rows = [
      ['NAME', 'AGE'],
      ['long-name', ''],
      ['b', '5m'],
    ];
    assert.equal(formatRows(rows, columnWidths(rows)), 'NAME        AGE\nlong-name   \nb           5m\n');
  });

  it('lets no control character reach a terminal', () => {
    const object = { kind: 'X', metadata: { name: 'a\u001b[31m\n', creationTimestamp: '' } };
    assert.deepEqual(shown(object, options).rows, [['a\ufffd[31m...', '<unknown>']]);
  });
});
