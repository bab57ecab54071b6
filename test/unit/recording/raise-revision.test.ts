import assert from 'node:assert/strict';
import { raiseRevision } from '../../../src/recording/raise-revision.ts';

/** An etcd that only counts. */
class CountingEtcd {
  newest = 7;
  compacted = 0;
  longest = 0;
  readonly keys = new Map<string, number>();

  revision = async (): Promise<number> => this.newest;
  get = async (key: string) => {
    const revision = this.keys.get(key);
    const values = revision === undefined ? [] : [{ key, value: Buffer.alloc(0), revision, createRevision: revision }];
    return { revision: this.newest, values, count: values.length };
  };
  create = async (key: string): Promise<number | undefined> => (this.keys.has(key) ? undefined : this.#put(key));
  update = async (key: string, _: Uint8Array, expected: number) =>
    this.keys.get(key) === expected
      ? { swapped: true as const, revision: this.#put(key) }
      : { swapped: false as const, revision: this.newest, current: undefined };
  delete = async (key: string) => {
    this.keys.delete(key);
    return { swapped: true as const, revision: this.#wrote() };
  };
  compact = async (upTo: number): Promise<void> => {
    this.compacted = upTo;
  };

  #put(key: string): number {
    const revision = this.#wrote();
    this.keys.set(key, revision);
    return revision;
  }

  #wrote(): number {
    this.longest = Math.max(this.longest, ++this.newest - this.compacted);
    return this.newest;
  }
}

describe('raising the revision of an etcd', () => {
  const raise = (etcd: CountingEtcd, revision: number, onProgress: (reached: number) => void = () => {}) => {
    const stop = new AbortController();
    const options = { revision, key: 'k', signal: stop.signal };
    return {
      stop,
      done: raiseRevision(etcd, { ...options, onProgress }),
    };
  };

  it('reaches the revision, leaves no key, and lets etcd drop the history on the way, which would fill its file', async () => {
    const etcd = new CountingEtcd();
    const newest = await raise(etcd, 250_000).done;
    assert.ok(newest >= 250_000 && newest < 250_300, String(newest));
    assert.deepEqual([etcd.compacted, etcd.keys.size], [newest, 0]);
    assert.ok(etcd.longest < 101_000, `${etcd.longest} revisions at once`);
  });

  it('goes on where it was interrupted, with the keys that a killed one has left', async () => {
    const etcd = new CountingEtcd();
    const first = raise(etcd, 100_000, (reached) => reached > 50_000 && first.stop.abort(new Error('stopped')));
    await assert.rejects(first.done, /^Error: stopped$/);
    assert.equal(etcd.keys.size, 0);
    for (const key of ['k-0', 'k-99']) await etcd.create(key);
    let least = Number.POSITIVE_INFINITY;
    await raise(etcd, 100_000, (reached) => (least = Math.min(least, reached))).done;
    assert.ok(least > 50_000, String(least));
    assert.deepEqual([etcd.keys.size, etcd.compacted], [0, etcd.newest]);
  });

  it('ends when another program writes a key', async () => {
    const etcd = new CountingEtcd();
    const raising = raise(etcd, 10_000, (reached) => {
      if (reached > 5_000) etcd.keys.set('k-0', 1);
    });
    await assert.rejects(raising.done, /another program has written k-0/);
  });
});
