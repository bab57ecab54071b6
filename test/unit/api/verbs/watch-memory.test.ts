import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { WatchEncoder } from '../../../../src/codec/codec.ts';
import { createSharedFrames } from '../../../../src/api/verbs/watch-frames.ts';
import { type Chunk, joinChunk } from '../../../../src/http-protocol/responses/write-chunks.ts';
import type { VersionedEvent } from '../../../../src/registry/definition/registry.ts';
import { forceFullCollection } from '../../../../src/process/force-full-collection.ts';
import { until } from '../../../http/until.ts';
import { startFixture } from '../fixture.ts';

describe('the bytes of a watch', () => {
  it('are made once for all watchers that are sent the same events', () => {
    const frames = createSharedFrames();
    const event = (type: 'ADDED' | 'MODIFIED', text: string): VersionedEvent => {
      const json = Buffer.from(text);
      return { type, object: { json } };
    };
    let format: WatchEncoder = { mediaType: 'a', frame: () => [] };
    const made: number[] = [];
    const join = (...events: readonly VersionedEvent[]): Chunk =>
      frames.join(format, events, () => joinChunk([Buffer.alloc(made.push(events.length))]));
    const [a, b] = [event('ADDED', '{"a":1}'), event('MODIFIED', '{"b":2}')];
    const bytes = join(a, b);
    assert.equal(join({ ...a }, { ...b }), bytes);
    assert.deepEqual(made, [2]);
    const [one] = [format];
    format = { ...one };
    assert.notEqual(join(a, b), bytes);
    format = one;
    assert.equal(join(a, b), bytes);
    assert.deepEqual(made.splice(1), [2]);
    const bookmark: VersionedEvent = { type: 'BOOKMARK', revision: 7, initialEventsEnd: false };
    const others = [
      [a],
      [b, a],
      [a, { ...b, type: 'ADDED' }],
      [a, event('MODIFIED', '{"b":2}')],
      [bookmark],
      [bookmark],
    ];
    for (const events of others) assert.notEqual(join(...(events as VersionedEvent[])), bytes);
    assert.deepEqual(made, [2, 1, 2, 2, 2, 1, 1]);
  });

  it('are not kept beside the objects that they were made of', async () => {
    await using fixture = await startFixture();
    const count = 40;
    const bytes = 250_000;
    const data = { filler: 'x'.repeat(bytes) };
    // One copy is the store's and one the cache's. Less is seen if an earlier test lets go of something.
    const limit = 2.5;
    // Fills the cache, which has its own bytes.
    await fixture.send({ path: '/api/v1/configmaps' });
    const read = await countBytes(fixture.port, '/api/v1/configmaps?watch=1');
    forceFullCollection();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < count; i++) await fixture.configMap(`watched-${i}`, { data });
    await until('the watcher has read every event', () => read() > count * bytes);
    let copies = Number.POSITIVE_INFINITY;
    const isLetGo = (): boolean => {
      forceFullCollection();
      copies = (process.memoryUsage().arrayBuffers - before) / (count * bytes);
      return copies <= limit;
    };
    await until(`no more than ${limit} copies are held`, isLetGo).catch(() => undefined);
    assert.ok(copies <= limit, `${copies} copies are held`);
  });
});

/** Reads a watch and keeps nothing of it but how much came. */
async function countBytes(port: number, path: string): Promise<() => number> {
  let bytes = 0;
  const [response] = (await once(http.get({ host: '127.0.0.1', port, path }), 'response')) as [http.IncomingMessage];
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  response.on('error', () => undefined);
  return () => bytes;
}
