import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { threadCpuMs } from '../../thread-cpu.ts';
import { define, versionOf, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { request } from '../http-client.ts';

/** A row takes some 20 ms; the smallest of these took seconds. */
const longestMs = 1_000;
const accept = 'application/json;as=Table;v=v1;g=meta.cl.io';

/** Objects that are inside of each other, at a key. */
function nested(depth: number, value: JsonValue): JsonObject {
  return Array.from({ length: depth }).reduce<JsonObject>((inner) => ({ a: inner }), { b: value });
}

const rows: readonly (readonly [title: string, path: string, spec: JsonObject, cell: JsonValue])[] = [
  ['descendants of descendants', '.spec..a..a..a..zork', nested(900, 1), null],
  ['the first of very many descendants', '.spec..a..a..a..b', nested(900, 1), '1'],
  ['unions of the same field', `.spec${"['a','a']".repeat(60)}.zork`, nested(100, 1), null],
  ['filters by descendants', '.spec..[?(@..a..a..zork)]', nested(900, 1), null],
  ['descendants of many values', '.spec..*..*..*..zork', { list: Array.from({ length: 50_000 }, () => 1) }, null],
];

describe('a Table with a column of', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  /** The cells of an object of a kind with columns of these paths, and the CPU time of its Table. */
  const tableOf = async (group: string, paths: readonly string[], spec: JsonObject) => {
    const additionalPrinterColumns = paths.map((jsonPath, index) => ({ name: `c${index}`, type: 'string', jsonPath }));
    const schema = { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } };
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { schema, additionalPrinterColumns })] }));
    const made = await request(server, 'POST', widgetsAt(group), { kind: 'Widget', metadata: { name: 'a' }, spec });
    assert.equal(made.status, 201, made.text.slice(0, 500));
    const start = threadCpuMs();
    const table = await request(server, 'GET', widgetsAt(group), undefined, { accept });
    const ms = threadCpuMs() - start;
    assert.equal(table.status, 200, table.text.slice(0, 500));
    return { cells: objectsAt(table.body as JsonObject, 'rows')[0]?.['cells'], ms };
  };

  for (const [index, [title, path, spec, cell]] of rows.entries()) {
    it(`${title} visits each value once`, async () => {
      const { cells, ms } = await tableOf(`c${index}.example.com`, [path], spec);
      assert.deepEqual(cells, ['a', cell]);
      assert.ok(ms < longestMs, `${ms} ms`);
    });
  }

  const sixtyThousand = Array.from({ length: 60_000 }, (_, index) => index);
  const often: readonly (readonly [title: string, path: string, spec: JsonObject])[] = [
    ['slices of a long list', `.spec.list[${'::9999,'.repeat(140)}].zork`, { list: sixtyThousand }],
    [
      'the values of a large object',
      '.spec.map[*].zork',
      { map: Object.fromEntries(sixtyThousand.map((at) => [`k${at}`, at])) },
    ],
  ];

  for (const [index, [title, path, spec]] of often.entries()) {
    it(`${title}, often, copies no more values than a few columns may visit`, async () => {
      const paths = [...Array.from({ length: 99 }, () => path), '.spec.number'];
      const { cells, ms } = await tableOf(`often${index}.example.com`, paths, { number: 5, ...spec });
      assert.ok(Array.isArray(cells));
      assert.deepEqual(cells.slice(-2), [null, '5']);
      assert.ok(ms < longestMs, `${ms} ms`);
    });
  }

  it('the whole object, often, has as much text as a few objects', async () => {
    const paths = [...Array.from({ length: 99 }, () => '.spec'), '.spec.number'];
    const spec = { number: 5, text: 'x'.repeat(500_000) };
    const { cells, ms } = await tableOf('whole.example.com', paths, spec);
    assert.ok(Array.isArray(cells));
    assert.ok(cells[1] === JSON.stringify(spec));
    assert.deepEqual(cells.slice(-2), ['<too long>', '5']);
    assert.ok(JSON.stringify(cells).length < 3_000_000);
    assert.ok(ms < longestMs, `${ms} ms`);
  });
});
