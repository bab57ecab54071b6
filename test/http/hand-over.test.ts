import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createServer, type Server } from '../../src/server/create-server.ts';
import type { Siblings } from '../../src/config/siblings.ts';
import { until } from './until.ts';

const token = 'secret';

/** The port that a process shares with others, which go on when it stops. */
class CommonPort implements Siblings {
  readonly start = 'of-all';
  readonly number = '1';
  readonly remain = true;
  /** The options that were set on each connection. */
  readonly options: [string, ...unknown[]][] = [];
  readonly #server = createTcpServer({ pauseOnConnect: true });

  async listen(
    { address, port }: { readonly address: string; readonly port: number },
    serve: (socket: Socket) => void,
  ) {
    this.#server.on('connection', (socket) => {
      const { options } = this;
      socket.setNoDelay = (...values) => (options.push(['noDelay', ...values]), socket);
      socket.setKeepAlive = (...values) => (options.push(['keepAlive', ...values]), socket);
      serve(socket);
    });
    await once(this.#server.listen(port, address), 'listening');
    // The address is a string only for pipes.
    return (this.#server.address() as AddressInfo).port;
  }

  offerMetrics(): void {}

  async gatherMetrics(): Promise<readonly []> {
    return [];
  }

  close(): void {
    this.#server.close();
  }
}

/** Sends a request on a connection, and reads until its response has ended. */
async function get(socket: TLSSocket, path: string): Promise<string> {
  let text = '';
  const take = (chunk: Buffer): void => void (text += chunk.toString());
  socket.on('data', take);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await until('the response', () => text.endsWith('\r\nok') || socket.destroyed);
  socket.off('data', take);
  return text;
}

function secured(server: Server, socket?: Socket): TLSSocket {
  const where = socket ? { socket } : { host: '127.0.0.1', port: server.port };
  const client = connectTls({ ...where, ca: server.ca, servername: 'localhost', ALPNProtocols: ['http/1.1'] });
  return client.on('error', () => {});
}

describe('a process that leaves its clients to others', () => {
  let port: CommonPort;
  let server: Server;
  const clients: { destroy(): unknown }[] = [];

  before(async () => {
    port = new CommonPort();
    const tokens = [{ token, username: 'ann', groups: ['system:masters'] }];
    server = await createServer({
      tokens,
      siblings: port,
      featureGates: ['APIServerIdentity=true'],
      logLevel: 'silent',
    });
  });
  after(() => {
    for (const socket of clients) socket.destroy();
    port.close();
  });

  it('shares one identity Lease with the other workers', async () => {
    const session = connectHttp2(server.url, { ca: server.ca });
    const path = '/apis/coordination.cl.io/v1/namespaces/cl-system/leases';
    const holder = async (): Promise<string> => {
      const leases = session.request({ ':path': path, authorization: `Bearer ${token}` }).setEncoding('utf8');
      let text = '';
      for await (const part of leases) text += part as string;
      return /"holderIdentity":"([^"]*)"/.exec(text)?.[1] ?? '';
    };
    await until('the Lease', async () => (await holder()) !== '');
    assert.match(await holder(), /^apiserver-[a-z0-9]+_of-all$/);
    session.destroy();
  });

  it('serves what is on the way, and lets each connection end', async () => {
    const idle = secured(server);
    clients.push(idle);
    await once(idle, 'secureConnect');
    assert.match(await get(idle, '/readyz'), /^HTTP\/1.1 200 /);
    const options = [
      ['noDelay', true],
      ['keepAlive', true, 30_000],
    ];
    assert.deepEqual(port.options.slice(0, 2), options, 'as on connections that it accepts itself');
    const unsecured = connectTcp(server.port, '127.0.0.1');
    clients.push(unsecured);
    await once(unsecured, 'connect');
    const session = connectHttp2(server.url, { ca: server.ca });
    clients.push(session);
    const authorization = `Bearer ${token}`;
    const watch = session.request({ ':path': '/api/v1/namespaces?watch=1', authorization });
    await once(watch, 'response');
    const watchEnded = once(watch.resume(), 'end');
    const sentGoAway = once(session, 'goaway');

    const closed = server.close();
    const [code, lastStream] = (await sentGoAway) as [number, number];
    assert.deepEqual([code, lastStream], [0, 2 ** 31 - 1], 'no stream is refused');
    for (const client of [idle, secured(server, unsecured)]) {
      if (client.connecting || !client.authorized) await once(client, 'secureConnect');
      const response = await get(client, '/readyz');
      assert.match(response, /^HTTP\/1.1 200 /);
      assert.match(response, /\r\nConnection: close\r\n/i);
    }
    await closed;
    await watchEnded;
    assert.equal(watch.rstCode, 0, 'the watch ends as one that has timed out');
    session.destroy();
  });
});
