import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pause } from '../../../src/async/timers.ts';
import type { LoggedEvent } from './audited-server.ts';

/** A named pipe as an audit log, which is not read until somebody asks for it. */
interface AuditPipe extends AsyncDisposable {
  readonly path: string;
  /** Begins to read. `end` returns the events once the pipe is empty; to be called after its writer has ended. */
  read(): { end(): Promise<readonly LoggedEvent[]> };
}

/** Creates a pipe. */
export async function openPipe(): Promise<AuditPipe> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-pipe-'));
  const file = path.join(directory, 'log');
  await promisify(execFile)('mkfifo', [file]);
  // A reader that is a writer too can open it alone, and sees no end of it.
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  let isEnding = false;
  const readAll = async (): Promise<readonly LoggedEvent[]> => {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = readNow(fd);
      if (chunk) chunks.push(chunk);
      else if (isEnding) break;
      else await pause(5);
    }
    const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
    // The tests check the fields that they use.
    return lines.map((line) => JSON.parse(line) as LoggedEvent);
  };
  return {
    path: file,
    read() {
      const all = readAll();
      const end = (): Promise<readonly LoggedEvent[]> => {
        isEnding = true;
        return all;
      };
      return { end };
    },
    async [Symbol.asyncDispose]() {
      closeSync(fd);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Reads bytes that are there; undefined if there are none. */
function readNow(fd: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
