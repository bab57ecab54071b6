import assert from 'node:assert/strict';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDebugSocket } from '../../../src/listen/debug-socket.ts';

describe('the socket of profiles', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'debug-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const open = (file: string, name = 'one', worker?: string) =>
    openDebugSocket(file, (_request, response) => void (response as ServerResponse).end(name), worker);
  const read = async (socketPath: string): Promise<string> => {
    const [response] = (await once(request({ socketPath, path: '/debug/heap', agent: false }).end(), 'response')) as [
      IncomingMessage,
    ];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };

  it('is a file even if its path is a number, and never a TCP port', async () => {
    const present = process.cwd();
    process.chdir(folder);
    try {
      const socket = await open('6060');
      assert.ok((await lstat('6060')).isSocket());
      await socket.close();
    } finally {
      process.chdir(present);
    }
  });

  it('replaces no other file', async () => {
    const file = path.join(folder, 'ca.key');
    await writeFile(file, 'the key');
    await assert.rejects(open(file), /--debug-socket-path: .* is no socket/);
    assert.equal(await readFile(file, 'utf8'), 'the key');
  });

  it('leaves nothing behind if its path cannot be used', async () => {
    await assert.rejects(open(path.join(folder, '')), /is no socket/);
    await assert.rejects(open(path.join(folder, `${'x'.repeat(300)}.sock`)), /ENAMETOOLONG/);
    assert.deepEqual(await readdir(folder), []);
  });

  it('is one for each worker, and that of the newest under the path itself', async () => {
    const file = path.join(folder, 'debug.sock');
    const [first, second] = [await open(file, 'first', '1'), await open(file, 'second', '2')];
    assert.deepEqual(await Promise.all([`${file}.1`, `${file}.2`, file].map(read)), ['first', 'second', 'second']);
    const successor = await open(file, 'successor', '1');
    await first.close();
    assert.deepEqual(await Promise.all([`${file}.1`, file].map(read)), ['successor', 'successor']);
    await Promise.all([successor.close(), second.close()]);
    assert.deepEqual(await readdir(folder), []);
    await writeFile(file, 'a file');
    await assert.rejects(open(file, 'third', '3'), /is no socket/);
    assert.deepEqual(await readdir(folder), ['debug.sock'], 'nothing is left');
  });

  it('is that of the newest process, and stays when an earlier one closes', async () => {
    const file = path.join(folder, 'debug.sock');
    const first = await open(file, 'first');
    assert.equal((await lstat(file)).mode & 0o777, 0o600);
    const second = await open(file, 'second');
    await first.close();
    assert.equal(await read(file), 'second');
    await second.close();
    await assert.rejects(lstat(file), /ENOENT/);
  });
});
