import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports from the wanted one on are tried. */
const attempts = 100;

/** Returns the wanted port on the loopback address, or the next free one. */
export async function nextFreePort(wanted: number): Promise<number> {
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
