import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { freePort } from '../../free-ports.ts';
import { startOnFreePort } from '../../../src/cli/up/start-on-free-port.ts';

describe('startOnFreePort', () => {
  let servers: Server[];
  const listen = async (port: number): Promise<number> => {
    const server = createServer();
    servers.push(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  beforeEach(() => {
    servers = [];
  });
  afterEach(() => {
    for (const server of servers) server.close();
  });

  it('takes the next port instead of one that is taken', async () => {
    const wanted = await listen(0);
    const { port, started } = await startOnFreePort(wanted, listen);
    assert.ok(port > wanted, `${port} after ${wanted}`);
    assert.equal(started, port);
  });

  it('takes the next port if another process was quicker', async () => {
    const tried: number[] = [];
    const { port } = await startOnFreePort(await freePort(), async (free) => {
      tried.push(free);
      if (tried.length === 1) await listen(free);
      await listen(free);
    });
    assert.deepEqual([tried.length, tried.at(-1)], [2, port]);
    assert.ok(port > (tried[0] ?? Infinity));
  });

  it('gives up after ten ports', async () => {
    let tries = 0;
    const failing = startOnFreePort(await freePort(), async () => {
      tries += 1;
      throw new Error('listen EADDRINUSE: another port');
    });
    await assert.rejects(failing, /EADDRINUSE/);
    assert.equal(tries, 10);
  });

  it('passes other errors on', async () => {
    const failing = startOnFreePort(await freePort(), () => Promise.reject(new Error('no such file')));
    await assert.rejects(failing, /^Error: no such file$/);
  });
});
