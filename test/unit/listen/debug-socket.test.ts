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

  const open = (file: string, name = 'one') =>
    openDebugSocket(file, (_request, response) => void (response as ServerResponse).end(name));
  const read = async (socketPath: string): Promise<string> => {
    const [response] = (await once(request({ socketPath, path: '/debug/heap' }).end(), 'response')) as [
      IncomingMessage,
    ];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };

  it('is a file also if its path is a number, and no port of all addresses', async () => {
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

  it('takes the place of no other file', async () => {
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
