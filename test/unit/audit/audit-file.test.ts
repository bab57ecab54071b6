import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AuditFile } from '../../../src/audit/audit-file.ts';
import { pruneBackups, type Rotation } from '../../../src/audit/rotation.ts';

const rotation: Rotation = { maxMegabytes: 1, maxAgeDays: 0, maxBackups: 0, compress: false };
/** More than a third of a megabyte, so that a file has two lines. */
const line = `${'x'.repeat(400_000)}\n`;

function fail(error: unknown): never {
  throw error;
}

describe('AuditFile', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-file-'));
    file = path.join(directory, 'audit.log');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const backups = async (): Promise<string[]> =>
    (await readdir(directory)).filter((name) => name !== 'audit.log').toSorted();

  it('appends to a file that only its user can read', async () => {
    await writeFile(file, 'before\n', { mode: 0o600 });
    const log = new AuditFile(file, rotation, fail);
    assert.equal(log.writeNow('now\n'), undefined);
    assert.equal(await log.write('later\n'), undefined);
    await log.close();
    assert.equal(await readFile(file, 'utf8'), 'before\nnow\nlater\n');
    const other = new AuditFile(path.join(directory, 'new.log'), rotation, fail);
    await other.close();
    assert.equal((await stat(path.join(directory, 'new.log'))).mode & 0o777, 0o600);
  });

  it('writes the lines of one moment together, in their order', async () => {
    const log = new AuditFile(file, rotation, fail);
    const texts = Array.from({ length: 100 }, (_, index) => `${index}\n`);
    await Promise.all(texts.map((text) => log.write(text)));
    await log.close();
    assert.equal(await readFile(file, 'utf8'), texts.join(''));
  });

  for (const how of ['writeNow', 'write'] as const) {
    it(`renames a file that would be too large, before ${how}`, async () => {
      const log = new AuditFile(file, rotation, fail);
      for (let count = 0; count < 3; count++) assert.equal(await log[how](line), undefined);
      await log.close();
      const [backup = '', ...more] = await backups();
      assert.match(backup, /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/);
      assert.deepEqual(more, []);
      assert.equal((await stat(path.join(directory, backup))).size, 2 * line.length);
      assert.equal((await stat(file)).size, line.length);
    });
  }

  it('writes a line that is larger than a file', async () => {
    const log = new AuditFile(file, rotation, fail);
    const large = `${'y'.repeat(1_200_000)}\n`;
    assert.equal(log.writeNow(large), undefined);
    await log.close();
    assert.equal((await stat(file)).size, large.length);
  });

  it('compresses old files', async () => {
    const log = new AuditFile(file, { ...rotation, compress: true }, fail);
    for (let count = 0; count < 3; count++) log.writeNow(line);
    await log.close();
    const [backup = ''] = await backups();
    assert.match(backup, /\.log\.gz$/);
    assert.equal(gunzipSync(await readFile(path.join(directory, backup))).toString(), line + line);
  });

  it('returns the error of a full device', async () => {
    const log = new AuditFile('/dev/full', rotation, fail);
    assert.equal(log.isRegular, false);
    assert.match(String(await log.write('x\n')), /ENOSPC/);
    await log.close();
  });

  it('deletes what is too old or too many, and nothing else', async () => {
    const [first, second, third] = [
      'audit-2026-01-01T00-00-00.000.log',
      'audit-2026-01-02T00-00-00.000.log.gz',
      'audit-2026-01-03T00-00-00.000.log',
    ];
    const others = ['audit-notes.log', 'other-2026-01-01T00-00-00.000.log'];
    for (const name of [first, second, third, ...others, 'audit.log']) await writeFile(path.join(directory, name), '');
    const now = new Date('2026-01-04T00:00:00Z');
    await pruneBackups(file, { ...rotation, maxBackups: 2 }, now);
    assert.deepEqual(await backups(), [second, third, ...others]);
    await pruneBackups(file, { ...rotation, maxAgeDays: 1 }, now);
    assert.deepEqual(await backups(), [third, ...others]);
  });
});
