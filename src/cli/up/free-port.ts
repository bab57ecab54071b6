import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports behind the wanted one are tried. */
const attempts = 100;

/** The wanted port of the loopback address, or the next one that is free. */
export async function nextFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < Math.min(wanted + attempts, 65_536); port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${wanted} on is free`);
}

/** Binding all addresses too finds a server that listens on them rather than on the loopback address. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer();
    try {
      server.listen({ port, host, exclusive: true });
      await once(server, 'listening');
    } catch {
      // Taken, or not for this user.
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
