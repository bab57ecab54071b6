import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkSnapshot, type SnapshotEntry, writeSnapshot } from '../../../src/recording/snapshot-file.ts';

describe('the file of a snapshot', () => {
  let directory: string;
  before(async () => void (directory = await mkdtemp(path.join(tmpdir(), 'cl-snapshot-'))));
  after(() => rm(directory, { recursive: true }));

  const { signal } = new AbortController();
  async function* entries(): AsyncIterable<SnapshotEntry> {
    yield { key: '/a', value: Buffer.from('1') };
  }

  it('has the entries and the revision', async () => {
    const file = path.join(directory, 'saved');
    assert.equal(await writeSnapshot(file, 7, entries(), signal), 1);
    const { count, revision } = await checkSnapshot(file);
    assert.deepEqual([count, revision], [1, 7]);
  });

  it('is an error on a full device, which stays a device', async function () {
    if (!existsSync('/dev/full')) this.skip();
    await assert.rejects(
      writeSnapshot('/dev/full', 7, entries(), signal),
      /^RecordingError: \/dev\/full cannot be written: there is no room/,
    );
    assert.ok((await stat('/dev/full')).isCharacterDevice());
  });

  it('leaves nothing behind where it cannot be written, or the store fails', async () => {
    const before = await readdir(directory);
    await assert.rejects(
      writeSnapshot(path.join(directory, 'none/saved'), 7, entries(), signal),
      /saved cannot be written: ENOENT/,
    );
    async function* failing(): AsyncIterable<SnapshotEntry> {
      yield* entries();
      throw new Error('etcd is away');
    }
    await assert.rejects(writeSnapshot(path.join(directory, 'other'), 7, failing(), signal), /^Error: etcd is away$/);
    assert.deepEqual(await readdir(directory), before);
  });

  it('is written through no link that others prepared, for its owner alone', async () => {
    const file = path.join(directory, 'again');
    const other = path.join(directory, 'other');
    await writeFile(other, 'kept');
    await symlink('other', `${file}.${process.pid}`);
    await writeFile(file, 'an earlier one', { mode: 0o644 });
    assert.equal(await writeSnapshot(file, 1, entries(), signal), 1);
    assert.equal(await readFile(other, 'utf8'), 'kept');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });
});
