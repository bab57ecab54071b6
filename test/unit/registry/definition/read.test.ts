import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { VersionedEvent, VersionedObject } from '../../../../src/registry/definition/registry.ts';
import { child, type Fixture, parsed, refusal, remove, startFixture, write, type KindStrategy } from '../fixture.ts';

const strategies: readonly KindStrategy[] = [
  {
    group: 'autoscaling',
    resource: 'horizontalpodautoscalers',
    strategy: {},
    conversions: {
      v1: {
        toStorage: (object) => object,
        fromStorage: (object) => ({ ...object, unknown: 1 }),
      },
    },
  },
];

describe('registry reads', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ strategies });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const create = async (...names: string[]) => {
    for (const name of names) await maps().create(fixture.scope(), { metadata: { name } }, write);
  };

  it('does not find what is not there', async () => {
    const error = await refusal(maps().get(fixture.scope({ name: 'x' }), { kind: 'latest' }));
    assert.equal(error.message, 'configmaps "x" not found');
    assert.deepEqual(error.details, { name: 'x', kind: 'configmaps' });
  });

  it('passes the bytes of the storage version as they are', async () => {
    await create('a');
    const scope = fixture.scope({ name: 'a' });
    await warm(() => maps().get(scope, { kind: 'latest' }));
    const first = await maps().get(scope, { kind: 'latest' });
    const second = await maps().get(scope, { kind: 'latest' });
    assert.equal(first.json.toString(), second.json.toString());
  });

  it('encodes another version once for all readers', async () => {
    const scalers = fixture.registry('horizontalpodautoscalers', 'autoscaling');
    const body = { metadata: { name: 'a' }, spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Pod', name: 'p' } } };
    await scalers.create(fixture.scope({ version: 'v2' }), body, write);
    const scope = fixture.scope({ name: 'a', version: 'v1' });
    await warm(() => scalers.get(scope, { kind: 'latest' }));
    const first = await scalers.get(scope, { kind: 'latest' });
    assert.equal(first.json, (await scalers.get(scope, { kind: 'latest' })).json);
    const text = first.json.toString();
    assert.ok(text.startsWith('{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1","metadata":{'));
    assert.equal(child(parsed(first), 'spec')['maxReplicas'], 3);
    // What the version always says, and nothing that it does not know.
    assert.deepEqual(child(parsed(first), 'status'), { currentReplicas: 0, desiredReplicas: 0 });
    assert.equal(parsed(first)['unknown'], undefined);
  });

  it('lists pages of one revision', async () => {
    await create('a', 'b', 'c');
    const first = await maps().list(fixture.scope(), { at: { kind: 'latest' }, limit: 2 });
    assert.equal(first.items.length, 2);
    assert.equal(first.remaining, 1);
    await create('d');
    const query = { at: { kind: 'latest' }, limit: 2, continueToken: first.continueToken } as const;
    const second = await maps().list(fixture.scope(), query);
    assert.equal(second.revision, first.revision);
    assert.deepEqual(
      second.items.map((item) => child(parsed(item), 'metadata')['name']),
      ['c'],
    );
    assert.equal(second.continueToken, '');
  });

  it('refuses a token that it did not make', async () => {
    const query = { at: { kind: 'latest' }, limit: 2, continueToken: 'x' } as const;
    const error = await refusal(maps().list(fixture.scope(), query));
    assert.equal(error.code, 400);
    assert.match(error.message, /continue key is not valid/);
  });

  it('answers a revision that is not there yet with a hint to come again', async () => {
    const at = { kind: 'exact', revision: 1_000_000 } as const;
    const error = await refusal(maps().list(fixture.scope(), { at, limit: 0 }));
    assert.equal(error.code, 504);
    assert.match(error.message, /^Timeout: Too large resource version: 1000000, current: \d+$/);
    assert.equal(error.details?.retryAfterSeconds, 1);
    assert.deepEqual(error.details?.causes, [
      { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
    ]);
  });

  it('watches what is written', async () => {
    const stop = new AbortController();
    const start = { kind: 'state', at: { kind: 'latest' }, bookmarkAfterState: false } as const;
    const scope = fixture.scope({ cancellation: stop });
    const events: VersionedEvent[] = [];
    await create('a');
    const watch = maps().watch(scope, { start, bookmarks: false, timeoutMs: 60_000 });
    for await (const batch of watch) {
      events.push(...batch);
      if (events.length === 1) {
        await create('b');
        await maps().delete(fixture.scope({ name: 'a' }), remove);
      }
      if (events.length >= 3) stop.abort();
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'ADDED', 'DELETED'],
    );
  });
});

/** Reads until the answers come from memory. */
async function warm(read: () => Promise<VersionedObject>): Promise<void> {
  for (;;) {
    const [first, second] = [await read(), await read()];
    if (first === second || first.json === second.json) return;
    await setTimeout(5);
  }
}
