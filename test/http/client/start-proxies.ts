import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { idleConnections } from '../../idle-connections.ts';

/** A proxy on a free port of the loopback interface. */
export interface TestProxy {
  /** The address without a user: `127.0.0.1:40123`. */
  readonly address: string;
  /** The servers that connections were opened to. */
  readonly targets: string[];
  stop(): Promise<void>;
}

/** The user and password that a proxy accepts. */
export const proxyUser = { username: 'ann', password: 'p:ss' } as const;

/** An HTTP proxy that knows CONNECT alone, and wants a password. */
export async function startHttpProxy(): Promise<TestProxy> {
  const expected = `Basic ${Buffer.from(`${proxyUser.username}:${proxyUser.password}`).toString('base64')}`;
  const targets: string[] = [];
  const server = createServer(idleConnections);
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    client.on('error', () => {});
    if (headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    targets.push(url);
    const target = join(client, url);
    target.once('connect', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
  return started(server, targets);
}

/** A SOCKS proxy of version 5 that wants a password. */
export async function startSocksProxy(): Promise<TestProxy> {
  const targets: string[] = [];
  const server = createTcpServer((client) => {
    client.on('error', () => client.destroy());
    serve(client).catch(() => client.destroy());
  });
  async function serve(client: Socket): Promise<void> {
    await read(client, (await read(client, 2))[1] ?? 0);
    client.write(Buffer.from([5, 2]));
    const username = await readText(client, (await read(client, 2))[1] ?? 0);
    const password = await readText(client, (await read(client, 1))[0] ?? 0);
    const isKnown = username === proxyUser.username && password === proxyUser.password;
    client.write(Buffer.from([1, isKnown ? 0 : 1]));
    if (!isKnown) return void client.end();
    const [, , , type] = await read(client, 4);
    const host =
      type === 1 ? [...(await read(client, 4))].join('.') : await readText(client, (await read(client, 1))[0] ?? 0);
    const url = `${host}:${(await read(client, 2)).readUInt16BE()}`;
    targets.push(url);
    const target = join(client, url);
    target.once('connect', () => client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])));
  }
  return started(server, targets);
}

async function started(server: Server, targets: string[]): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    targets,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes the bytes of both on once the second is connected. */
function join(client: Socket, url: string): Socket {
  const [host = '', port] = url.split(':');
  const target = connect(Number(port), host);
  target.on('error', () => client.destroy());
  client.on('close', () => target.destroy());
  target.on('close', () => client.destroy());
  target.once('connect', () => client.pipe(target).pipe(client));
  return target;
}

async function readText(socket: Socket, count: number): Promise<string> {
  return (await read(socket, count)).toString();
}

async function read(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes) return bytes;
    await once(socket, 'readable');
  }
}
