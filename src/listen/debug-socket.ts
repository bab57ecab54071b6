import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { HttpHandler } from '../api/create-http-handler.ts';

/** A socket of this machine that serves profiles. */
interface DebugSocket {
  close(): Promise<void>;
}

/** The paths of the socket. */
const debugPath = /^\/debug\/(?:heap|profile)(?:\?|$)/;

/**
 * Serves the paths of profiles on a socket of this machine, without credentials: the rights on the
 * file are the only ones. A file that is left of an earlier process is replaced. Rejects if the
 * path cannot be used.
 */
export async function openDebugSocket(path: string, handler: HttpHandler): Promise<DebugSocket> {
  await rm(path, { force: true });
  const server = createServer((request, response) => {
    if (debugPath.test(request.url ?? '')) handler(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
  });
  const mask = process.umask(0o177);
  try {
    await once(server.listen(path), 'listening');
  } finally {
    process.umask(mask);
  }
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
