import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { restoreSnapshot, type SnapshotTarget } from '../../../src/recording/restore-snapshot.ts';
import { isSnapshot, type SnapshotEntry, writeSnapshot } from '../../../src/recording/snapshot-file.ts';

describe('restoring a snapshot', () => {
  let directory: string;
  let file: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-restore-'));
    file = path.join(directory, 'saved');
  });
  after(() => rm(directory, { recursive: true }));

  async function save(...entries: readonly (readonly [key: string, value: string])[]): Promise<void> {
    async function* each(): AsyncIterable<SnapshotEntry> {
      for (const [key, value] of entries) yield { key, value: Buffer.from(value) };
    }
    await writeSnapshot(file, 7, each(), new AbortController().signal);
  }
  const created: unknown[] = [];
  const empty: SnapshotTarget = {
    count: async () => 0,
    create: async (key, value, ttlSeconds) => created.push([key, Buffer.from(value).toString(), ttlSeconds]) > 0,
  };

  it('writes the keys, of which Events expire, and not what is in a namespace "events"', async () => {
    await save(['/registry/pods/events/p', '{}'], ['/registry/events/n/e', '{"a":1}']);
    assert.equal(await isSnapshot(file), true);
    for (const options of [{ prefix: '/registry/' }, {}]) {
      const { count, revision } = await restoreSnapshot(file, empty, options);
      assert.deepEqual([count, revision], [2, 7]);
      assert.deepEqual(created.splice(0), [
        ['/registry/pods/events/p', '{}', undefined],
        ['/registry/events/n/e', '{"a":1}', 3600],
      ]);
    }
  });

  it('lets the addresses of servers expire, so that clients are not sent to a lost machine', async () => {
    await save(
      ['/registry/pods/masterleases/p', '{}'],
      ['/registry/masterleases/10.0.0.1', 'k8s'],
      ['/registry/~/servers/10.0.0.1-6443', '{}'],
      ['/registry/~/peers/a', '{}'],
      ['/registry/~/cluster-ips/10.0.0.1', 'a'],
    );
    for (const options of [{ prefix: '/registry/' }, {}]) {
      await restoreSnapshot(file, empty, options);
      assert.deepEqual(
        (created.splice(0) as unknown[][]).map(([, , ttlSeconds]) => ttlSeconds),
        [undefined, 15, 60, 15, undefined],
      );
    }
  });

  it('writes binary objects for a server that may read them', async () => {
    await save(['/registry/pods/n/p', 'k8s\0binary']);
    await restoreSnapshot(file, empty, { mayBeBinary: true });
    assert.deepEqual(created.splice(0), [['/registry/pods/n/p', 'k8s\0binary', undefined]]);
  });

  it('says that a store is incomplete if a write fails, after which it writes nothing', async () => {
    await save(...Array.from({ length: 40 }, (_, index) => [`/registry/pods/n/${index}`, '{}'] as const));
    let writes = 0;
    const failing: SnapshotTarget = {
      count: async () => 0,
      create: async () => {
        if (++writes === 35) throw new Error('no room');
        return true;
      },
    };
    await assert.rejects(
      restoreSnapshot(file, failing),
      /^RecordingError: no room; only \d+ of 40 keys are restored: /,
    );
    const made = writes;
    await setImmediate();
    assert.equal(writes, made);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(restoreSnapshot(file, empty, { signal: stopped }), /^Error: stopped$/);
  });

  it('writes nothing of another prefix, of binary objects or of a file that is none', async () => {
    await save(['/registry/pods/n/p', 'k8s\0binary']);
    await assert.rejects(
      restoreSnapshot(file, empty),
      /in the binary form of another server \(\/registry\/pods\/n\/p\)/,
    );
    await save(['/other/a', '{}'], ['/registry2/b', '{}']);
    await assert.rejects(
      restoreSnapshot(file, empty, { prefix: '/registry' }),
      /has keys of \/other, \/registry2 and none of \/registry:/,
    );
    await save();
    await assert.rejects(restoreSnapshot(file, empty), /has no keys/);
    await writeFile(file, gzipSync('{"format":2}\n'));
    await assert.rejects(restoreSnapshot(file, empty), /it is no snapshot of this version/);
    await writeFile(file, gzipSync('{"format":1,"revision":1,"time":"\\u001b[2J"}\n'));
    await assert.rejects(restoreSnapshot(file, empty), /it is no snapshot of this version/);
    await writeFile(file, gzipSync('null\n'));
    await assert.rejects(restoreSnapshot(file, empty), /it is no snapshot of this version/);
    // A bomb without a first line is not unpacked.
    await writeFile(file, gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    await assert.rejects(restoreSnapshot(file, empty), /it is no snapshot of this version/);
    await writeFile(file, '');
    assert.equal(await isSnapshot(file), false);
    assert.deepEqual(created, []);
  });
});
