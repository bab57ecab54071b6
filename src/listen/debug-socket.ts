import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstat, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import type { HttpHandler } from '../api/create-http-handler.ts';

/** A Unix socket that serves profiles. */
interface DebugSocket {
  close(): Promise<void>;
}

/** The paths of the socket. */
const debugPath = /^\/debug\/(?:heap|profile)(?:\?|$)/;

/**
 * Serves profiles on a Unix socket without credentials: only the permissions of the file protect
 * it. The socket of an earlier process is replaced; any other file is an error. Rejects if the path
 * cannot be used.
 *
 * A profile is of one process. Each of several workers serves the path with its number (`.1`), and
 * the newest worker also the path itself.
 */
export async function openDebugSocket(file: string, handler: HttpHandler, worker?: string): Promise<DebugSocket> {
  const files = worker === undefined ? [file] : [`${file}.${worker}`, file];
  const sockets: DebugSocket[] = [];
  const close = async (): Promise<void> => void (await Promise.all(sockets.map((socket) => socket.close())));
  try {
    for (const one of files) sockets.push(await openSocket(one, handler));
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/**
 * Opens one socket. Closing a listener removes the path that it was bound to, even if another
 * process has replaced the file. So the socket is bound to a temporary path and renamed.
 */
async function openSocket(file: string, handler: HttpHandler): Promise<DebugSocket> {
  const other = await lstat(file).catch(() => undefined);
  if (other && !other.isSocket()) throw new Error(`--debug-socket-path: ${file} is there and is no socket`);
  const server = createServer((request, response) => {
    if (debugPath.test(request.url ?? '')) handler(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
  });
  const bound = path.join(path.dirname(file), `.${randomBytes(4).toString('hex')}`);
  const mask = process.umask(0o177);
  try {
    // Passed as an object: Node would listen on a TCP port of all addresses if the path is a
    // number.
    await once(server.listen({ path: bound }), 'listening');
  } finally {
    process.umask(mask);
  }
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const { ino } = await lstat(bound);
  await rename(bound, file).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    async close() {
      await stop();
      const present = await lstat(file).catch(() => undefined);
      if (present?.ino === ino) await rm(file, { force: true });
    },
  };
}
