import assert from 'node:assert/strict';
import { raiseRevision } from '../../../src/recording/raise-revision.ts';

describe('raising the revision of an etcd', () => {
  it('reaches the revision, leaves no key, and lets etcd drop the history on the way, which would fill its file', async () => {
    let [revision, compacted, longest] = [7, 0, 0];
    const keys = new Set<string>();
    const wrote = (): number => {
      longest = Math.max(longest, ++revision - compacted);
      return revision;
    };
    const etcd = {
      revision: async () => revision,
      create: async (key: string) => {
        keys.add(key);
        return wrote();
      },
      delete: async (key: string) => {
        keys.delete(key);
        return { swapped: true as const, revision: wrote() };
      },
      compact: async (upTo: number) => {
        compacted = upTo;
      },
    };
    const { signal } = new AbortController();
    const newest = await raiseRevision(etcd, { revision: 250_000, key: 'k', onProgress: () => {}, signal });
    assert.ok(newest >= 250_000 && newest < 250_300, String(newest));
    assert.deepEqual([compacted, keys.size], [newest, 0]);
    assert.ok(longest < 101_000, `${longest} revisions at once`);
  });
});
