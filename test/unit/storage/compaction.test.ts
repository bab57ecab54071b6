import assert from 'node:assert/strict';
import { runCompaction } from '../../../src/storage/port/compaction.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { code, eventually, pause, prefix, putBytes, putPod } from './fixture.ts';

describe('compaction', () => {
  it('is done once an interval by any number of servers, to the revision of an interval before', async () => {
    const store = new MemoryStore();
    const stop = new AbortController();
    const compactions: number[] = [];
    const intervalMs = 60;
    const server = () =>
      runCompaction({
        store,
        prefix,
        intervalMs,
        signal: stop.signal,
        onCompacted: (revision) => compactions.push(revision),
      });
    const began = performance.now();
    const servers: Promise<void>[] = [];
    for (let i = 0; i < 3; i++) {
      servers.push(server());
      await pause(intervalMs / 4);
    }
    for (let turn = 0; compactions.length < 6; turn++) {
      await putPod(store, 'default', 'x', { n: String(turn) });
      await pause(5);
    }
    stop.abort();
    await Promise.all(servers);
    // A busy machine makes fewer, and never more.
    const intervals = (performance.now() - began) / intervalMs;
    assert.ok(compactions.length <= intervals + 1, `${compactions.length} compactions in ${intervals} intervals`);
    assert.deepEqual(
      compactions,
      [...new Set(compactions)].toSorted((a, b) => a - b),
    );
    const last = compactions.at(-1) ?? 0;
    await assert.rejects(store.get('/registry/x', { revision: last - 1 }), code('Compacted'));
    await store.get('/registry/x', { revision: last });
  });

  it('is done by nobody but the server whose mark was won', async () => {
    const memory = new MemoryStore();
    const stop = new AbortController();
    const asked: number[] = [];
    let rounds = 0;
    // Another server is always a moment faster.
    const update: ObjectStore['update'] = async (key, ...rest) => {
      rounds++;
      await putBytes(memory, key, Buffer.from(JSON.stringify({ revision: 1 })));
      return memory.update(key, ...rest);
    };
    const compact: ObjectStore['compact'] = (revision) => {
      asked.push(revision);
      return memory.compact(revision);
    };
    await putBytes(memory, '/registry/~/compaction', Buffer.from(JSON.stringify({ revision: 1 })));
    const overtaken = new Proxy<ObjectStore>(memory, {
      get: (target, name) => {
        const own = { update, compact }[String(name)];
        const value: unknown = own ?? Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const running = runCompaction({ store: overtaken, prefix, intervalMs: 5, signal: stop.signal });
    await eventually(() => rounds >= 5);
    stop.abort();
    await running;
    assert.deepEqual(asked, []);
    await memory.close();
  });

  it('goes on after an error, and replaces a mark that cannot be read', async () => {
    const store = new MemoryStore();
    await putBytes(store, '/registry/~/compaction', Buffer.from('junk'));
    const stop = new AbortController();
    const errors: unknown[] = [];
    let compacted = 0;
    let failures = 1;
    const status = async () => {
      if (failures-- > 0) throw new Error('down');
      return store.status();
    };
    const faulty = new Proxy<ObjectStore>(store, {
      get: (target, name) => {
        const value: unknown = name === 'status' ? status : Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const running = runCompaction({
      store: faulty,
      prefix,
      intervalMs: 5,
      signal: stop.signal,
      onError: (error) => errors.push(error),
      onCompacted: () => compacted++,
    });
    await eventually(() => compacted >= 2);
    stop.abort();
    await running;
    assert.equal(errors.length, 1);
  });

  it('stops at once', async () => {
    const stop = new AbortController();
    const running = runCompaction({ store: new MemoryStore(), prefix, intervalMs: 3_600_000, signal: stop.signal });
    await pause(5);
    stop.abort();
    await running;
  });
});
