import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const drainTimeoutMs = 1_500;
const ofEach = 12;

/** A client's connection, of whatever kind: how it stands at the moment of the stop is its maker's matter. */
interface Peer {
  readonly name: string;
  readonly closed: () => boolean;
  readonly destroy: () => void;
}

function watched(name: string, socket: Socket | ClientHttp2Session): Peer {
  let closed = false;
  socket.on('error', () => undefined);
  socket.once('close', () => (closed = true));
  return { name, closed: () => closed, destroy: () => void socket.destroy() };
}

async function openTcp({ port }: TestServer): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function openHttp1(server: TestServer): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

const head = (server: TestServer, method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n${headers}\r\n`;

/** A request of HTTP/1.1 whose answer has begun, or which is left unfinished, and a client that reads no further. */
async function http1(server: TestServer, name: string, text: string): Promise<Peer> {
  const socket = await openHttp1(server);
  const peer = watched(name, socket);
  socket.write(text);
  if (name === 'http1 writing') return peer;
  await once(socket, 'data');
  if (name !== 'http1 idle') socket.pause();
  return peer;
}

async function http2(server: TestServer, name: string, headers: Record<string, string> = {}): Promise<Peer> {
  const session = connectHttp2(server.url, { ca: server.ca });
  const peer = watched(name, session);
  await once(session, 'remoteSettings');
  if (name === 'http2 idle') return peer;
  const writing = name === 'http2 writing';
  const stream = session.request({ authorization: `Bearer ${server.token}`, ...headers }, { endStream: !writing });
  stream.on('error', () => undefined);
  if (writing) stream.write('{');
  else await once(stream, 'response');
  return peer;
}

/** Begins a TLS handshake on a TCP connection that was open before, and then asks for something. */
function shakeHands(server: TestServer, protocol: 'http/1.1' | 'h2', socket: Socket, responses: string[]): void {
  const tls = connectTls({ socket, ca: server.ca, ALPNProtocols: [protocol] });
  tls.on('error', () => undefined);
  if (protocol === 'http/1.1') {
    tls.on('data', () => responses.push(protocol)).write(head(server, 'GET', '/version'));
    return;
  }
  const session = connectHttp2(server.url, { createConnection: () => tls });
  session
    .on('error', () => undefined)
    .once('connect', () => {
      const stream = session.request({ ':path': '/version', authorization: `Bearer ${server.token}` });
      stream.on('error', () => undefined).on('response', () => responses.push(protocol));
    });
}

const established: readonly ((server: TestServer) => Promise<Peer>)[] = [
  async (server) => watched('tcp only', await openTcp(server)),
  // Reads, as a client does: a busy machine opens the others for so long that this one is told that its time is over.
  async (server) => watched('tls only', (await openHttp1(server)).resume()),
  (server) => http1(server, 'http1 idle', head(server, 'GET', '/version')),
  (server) => http1(server, 'http1 reading', head(server, 'GET', `${maps}?pretty=1`)),
  (server) => http1(server, 'http1 listing', head(server, 'GET', maps)),
  (server) => http1(server, 'http1 watching', head(server, 'GET', `${maps}?watch=1`)),
  (server) => http1(server, 'http1 writing', `${head(server, 'POST', maps, 'Content-Length: 99\r\n')}{`),
  (server) => http2(server, 'http2 idle'),
  (server) => http2(server, 'http2 reading', { ':path': `${maps}?pretty=1` }),
  (server) => http2(server, 'http2 watching', { ':path': `${maps}?watch=1` }),
  (server) => http2(server, 'http2 writing', { ':method': 'POST', ':path': maps, 'content-type': 'application/json' }),
];

/** More than a connection's buffers take, in one list. */
async function fillConfigMaps(server: TestServer): Promise<void> {
  for (let i = 0; i < 8; i++) {
    const body = { metadata: { name: `large-${i}` }, data: { large: 'x'.repeat(1_000_000) } };
    assert.equal((await request(server, 'POST', maps, body)).status, 201);
  }
}

/** Fails where a stop takes for ever; a test that waits for it would hang. */
async function stopped(server: TestServer): Promise<void> {
  let over = false;
  const stop = server.stop().then(() => (over = true));
  await until('the server to have stopped', () => over);
  await stop;
}

describe('a stop in the middle of everything', () => {
  it('is over within its bound, and leaves no connection open, whatever clients are about', async () => {
    const server = await startServer({ drainTimeoutMs });
    await fillConfigMaps(server);
    const peers: Peer[] = [];
    for (const open of established) {
      peers.push(...(await Promise.all(Array.from({ length: ofEach }, () => open(server)))));
    }
    const late = await Promise.all(Array.from({ length: 2 * ofEach }, () => openTcp(server)));
    peers.push(...late.map((socket) => watched('late', socket)));
    const responses: string[] = [];
    const stopping = stopped(server);
    // Handshakes that begin with the stop, and in the turns after it.
    for (const [i, socket] of late.entries()) {
      shakeHands(server, i % 2 === 0 ? 'http/1.1' : 'h2', socket, responses);
      if (i % 3 === 0) await nextTurn();
    }
    await stopping;
    const open = (): string[] => peers.filter(({ closed }) => !closed()).map(({ name }) => name);
    // What a client has not read yet holds back the end from its eyes.
    for (const peer of peers) if (/reading|listing|watching/.test(peer.name)) peer.destroy();
    await until('every connection to be closed', () => open().length === 0).catch(() => undefined);
    assert.deepEqual(open(), []);
    assert.deepEqual(responses, [], 'what came after the stop had begun was not answered');
    for (const peer of peers) peer.destroy();
  });
});
