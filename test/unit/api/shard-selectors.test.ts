import assert from 'node:assert/strict';
import { parseShardSelector } from '../../../src/api/options/shard-selector.ts';
import { defaultListFeatures } from '../../../src/api/request/list-features.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { at, type Fixture, itemNames, startFixture } from './fixture.ts';

const collection = '/api/v1/namespaces/ns/configmaps';
const half = '0x8000000000000000';
const shards = [
  `shardRange(object.metadata.uid, '0x0000000000000000', '${half}')`,
  `shardRange(object.metadata.uid, '${half}', '0x10000000000000000')`,
];
const names = Array.from({ length: 40 }, (_, index) => `map-${index}`);

function selects(uid: string, start: string, end: string): boolean {
  const { filter } = parseShardSelector(`shardRange(object.metadata.uid, "${start}", "${end}")`);
  return filter({ labels: new Map(), fields: new Map() }, { namespace: '', uid });
}

describe('shard selectors', () => {
  let server: Fixture;
  before(async () => {
    server = await startFixture({ listFeatures: { ...defaultListFeatures, shards: true } });
    for (const name of names) await server.configMap(name);
  });
  after(() => server[Symbol.asyncDispose]());

  const query = (selector: string): string => `shardSelector=${encodeURIComponent(selector)}`;

  it('hash by FNV-1a', () => {
    // The hashes of the empty text and of foobar in the description of FNV.
    assert.ok(selects('', '0xcbf29ce484222325', '0xcbf29ce484222326'));
    assert.ok(selects('foobar', '0x85944171f73967e8', '0x85944171f73967e9'));
    assert.ok(!selects('foobar', '0x85944171f73967e9', '0x10000000000000000'));
  });

  it('divide a collection without overlap, and lists repeat them', async () => {
    const parts = await Promise.all(shards.map((shard) => server.send({ path: `${collection}?${query(shard)}` })));
    const [first = [], second = []] = parts.map(itemNames);
    assert.ok(first.length > 0 && second.length > 0, 'a fair hash leaves no half of forty empty');
    assert.deepEqual([...first, ...second].map(String).toSorted(), names.toSorted());
    assert.deepEqual(parts[0]?.at('metadata.shardInfo'), { selector: shards[0] });
    const both = await server.send({ path: `${collection}?limit=3&${query(` ${shards[0]}||${shards[1]} `)}` });
    assert.equal(itemNames(both).length, 3);
    assert.equal(both.at('metadata.remainingItemCount'), undefined);
    assert.equal(both.at('metadata.shardInfo.selector'), shards.join(' || '));
    const whole = await server.send({ path: collection });
    assert.equal(whole.at('metadata.shardInfo'), undefined);
  });

  it('select the events of watches', async () => {
    const watched = await Promise.all(
      shards.map((shard) => server.send({ path: `${collection}?watch=1&timeoutSeconds=1&${query(shard)}` })),
    );
    const events = watched.flatMap(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    );
    assert.deepEqual(events.map((event) => String(at(event, 'object.metadata.name'))).toSorted(), names.toSorted());
  });

  it('are ignored by servers without them', async () => {
    await using off = await startFixture();
    await off.configMap('a');
    assert.deepEqual(itemNames(await off.send({ path: `${collection}?shardSelector=x` })), ['a']);
  });

  const refused: readonly (readonly [selector: string, message: RegExp])[] = [
    [' ', /^invalid shard selector: empty shard selector is not allowed/],
    ['x', /^invalid shard selector: "x": expected shardRange\(/],
    ["shardRange(object.metadata.name, '0x0000000000000000', '0x0000000000000001')", /unsupported field path/],
    [`shardRange(object.metadata.uid, '${half}', '${half}')`, /must be less than end/],
    [`shardRange(object.metadata.uid, '0', '${half}')`, /hexStart must have '0x' prefix/],
    [`shardRange(object.metadata.uid, '0x0', '${half}')`, /hexStart must be a 0x-prefixed 16-digit hex value/],
    [`shardRange(object.metadata.uid, '${half}', '0x1000000000000000f')`, /hexEnd must be/],
    [`shardRange(object.metadata.uid, '0x000000000000000A', '${half}')`, /hexStart: expected lower-case/],
    [`${shards[0]} || ${shards[1]?.replace('uid', 'namespace')}`, /all shard ranges must use the same field/],
    [`${shards[0]} && ${shards[1]}`, /expected shardRange\(/],
  ];
  for (const [selector, message] of refused) {
    it(`are refused as ${selector.trim() || 'nothing'}`, () => {
      assert.throws(
        () => parseShardSelector(selector),
        (error) => error instanceof StatusError && error.code === 400 && message.test(error.message),
      );
    });
  }
});
