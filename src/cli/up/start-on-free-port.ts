import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports from the wanted one on are tried. */
const attempts = 100;

/** After these starts it is another port that is taken, and a free one here does not help. */
const startAttempts = 10;

/** A started thing and its port. */
interface StartedOnPort<T> {
  readonly port: number;
  readonly started: T;
}

/**
 * Starts something on the wanted port or the next free one. Another process may take a port between
 * the check and the start: if `start` fails because of that, the next free port is tried.
 */
export async function startOnFreePort<T>(
  wanted: number,
  start: (port: number) => Promise<T>,
): Promise<StartedOnPort<T>> {
  for (let from = wanted, tries = 1; ; tries += 1) {
    const port = await nextFreePort(from);
    try {
      return { port, started: await start(port) };
    } catch (error) {
      if (tries === startAttempts || !String(error).includes('EADDRINUSE')) throw error;
      from = port + 1;
    }
  }
}

/** Returns the wanted port on the loopback address, or the next free one. */
async function nextFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < Math.min(wanted + attempts, 65_536); port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port was found from ${wanted} on`);
}

/** Also binds all addresses, to find servers that do not listen on the loopback address alone. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer();
    try {
      server.listen({ port, host, exclusive: true });
      await once(server, 'listening');
    } catch {
      // In use, or not permitted.
      return false;
    } finally {
      if (server.listening) {
        server.close();
        await once(server, 'close');
      }
    }
  }
  return true;
}
