import assert from 'node:assert/strict';
import { jsonCodec } from '../../../../src/codec/json-codec.ts';
import { encodeJson } from '../../../../src/codec/encode-json.ts';
import type { ResourceCall } from '../../../../src/api/request/resource-call.ts';
import { shapeOfList } from '../../../../src/api/respond/list-in-shape.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { nameOf } from '../../../../src/meta/object-meta.ts';
import { valueOf } from '../../../../src/codec/document.ts';
import { rowKey } from '../../../../src/resources/flowcontrol/flowschemas/columns.ts';
import { measureBlocks } from '../../../robustness/large-bodies/loop-blocks.ts';
import { startFixture } from '../fixture.ts';

describe('Tables whose rows are sorted', () => {
  it('are in the order of precedence, then of names', async () => {
    await using server = await startFixture();
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas';
    for (const [name, matchingPrecedence] of [
      ['b', 20],
      ['c', 10],
      ['a', 20],
    ] as const) {
      const spec = { matchingPrecedence, priorityLevelConfiguration: { name: 'none' } };
      const created = await server.send({ method: 'POST', path, body: { metadata: { name }, spec } });
      assert.equal(created.status, 201);
    }
    const table = await server.send({ path, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
    const { rows } = table.json() as { rows: { cells: unknown[] }[] };
    assert.deepEqual(
      rows.map(({ cells }) => cells[0]),
      ['c', 'a', 'b'],
    );
  });

  it('are sorted in many turns of the event loop', async () => {
    const schema = (index: number): JsonObject => ({
      metadata: { name: `schema-${index}` },
      spec: { matchingPrecedence: (index * 7_919) % 10_000, rules: [{ subjects: [{ kind: 'User' }] }] },
    });
    const objects = Array.from({ length: 50_000 }, (_, index) => ({
      json: Buffer.from(encodeJson(schema(index))),
      revision: index,
    }));
    const served = { version: { table: { columns: [], rowKey } }, info: {} };
    const call = { served, scope: { identifiers: { apiDomain: 'k8s.io' } } } as unknown as ResourceCall;
    const representation = {
      codec: jsonCodec,
      shape: 'Table',
      metaVersion: 'v1',
      includeObject: 'None',
      dropsManagers: false,
    } as const;
    const { sort } = shapeOfList(call, representation, { revision: 1, continueToken: '', remaining: undefined });
    assert.ok(sort);
    let { result, blockMs } = await measureBlocks(() => sort(objects));
    // One block can be longer by chance.
    for (let left = 2; left > 0 && blockMs >= 50; left--) {
      ({ result, blockMs } = await measureBlocks(() => sort(objects)));
    }
    assert.ok(blockMs < 50, `${blockMs} ms of CPU in one turn`);
    const keys = result.map((object) => rowKey(valueOf(object)));
    assert.ok(keys.every(([number], index) => index === 0 || number >= (keys[index - 1]?.[0] ?? 0)));
    assert.equal(new Set(result.map((object) => nameOf(valueOf(object)))).size, 50_000);
  });
});
