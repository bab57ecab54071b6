import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { head, openHttp1, openHttp2, openStream, openTcp, statusOf } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const idleTimeoutMs = 2_000;
const headersTimeoutMs = 1_000;

function closing(connection: Socket | ClientHttp2Session): () => boolean {
  let closed = false;
  connection.on('error', () => undefined).once('close', () => (closed = true));
  return () => closed;
}

/** A TLS connection that chose HTTP/2, and on which the client then says nothing, or not all. */
async function openPrefaceless(server: TestServer, begin = ''): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  if (begin !== '') socket.write(begin);
  return socket;
}

describe('a connection that is of no use', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ idleTimeoutMs, headersTimeoutMs, drainTimeoutMs: 500 });
  });
  afterEach(() => server.stop());

  it('of HTTP/2 is closed with GOAWAY when it has had no request for too long, pings or not', async () => {
    const unused = await openHttp2(server);
    const used = await openHttp2(server);
    assert.equal(await statusOf(openStream(server, used, { ':path': maps }).resume()), 200);
    const pinging = await openHttp2(server);
    const pings = setInterval(() => pinging.destroyed || pinging.ping(() => undefined), 50);
    const sessions = [unused, used, pinging];
    const goaways = sessions.map((session) => once(session, 'goaway'));
    const closed = sessions.map(closing);
    await until('all to be closed', () => closed.every((is) => is()));
    await Promise.all(goaways);
    clearInterval(pings);
  });

  it('of HTTP/2 is closed when its client does not begin, or does not end its part of the beginning', async () => {
    const sockets = [
      await openPrefaceless(server),
      await openPrefaceless(server, 'PRI * HTTP/2.0\r\n'),
      await openPrefaceless(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ];
    const closed = sockets.map(closing);
    await until('all to be closed', () => closed.every((is) => is()));
  });

  it('is closed when its client does not end its TLS handshake', async () => {
    const silent = await openTcp(server);
    const begun = await openTcp(server);
    // A record of a handshake, 512 bytes long, of which the first ones come.
    begun.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]));
    const closed = [silent, begun].map((socket) => closing(socket.resume()));
    await until('both to be closed', () => closed.every((is) => is()));
  });

  it('of HTTP/1.1 is closed when no request comes, or not the whole of its headers', async () => {
    const unused = await openHttp1(server);
    const slow = await openHttp1(server);
    slow.write('GET / HTTP/1.1\r\nHost');
    const drops = setInterval(() => slow.destroyed || slow.write('x'), 50);
    const used = await openHttp1(server);
    used.write(head(server, 'GET', maps));
    const closed = [unused, slow, used].map((socket) => closing(socket.resume()));
    await until('all to be closed', () => closed.every((is) => is()));
    clearInterval(drops);
  });

  it('is distinguished from one with a quiet watch, which stays open', async () => {
    const session = await openHttp2(server);
    const stream = openStream(server, session, { ':path': `${maps}?watch=1` });
    let text = '';
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    assert.equal(await statusOf(stream), 200);
    const idle = closing(await openHttp2(server));
    // Both have done nothing for as long.
    await until('an idle one to be closed', idle);
    await sleep(idleTimeoutMs);
    assert.equal((await request(server, 'POST', maps, { metadata: { name: 'late' } })).status, 201);
    await until('the event', () => text.includes('"late"'));
    session.destroy();
  });
});

describe('the number of connections', () => {
  it('is bounded for one address, and others are taken again when some have gone', async () => {
    await using server = await startServer({ maxConnectionsPerAddress: 5, drainTimeoutMs: 500 });
    const sockets = await Promise.all([1, 2, 3, 4, 5].map(() => openHttp1(server)));
    const more = closing(await openTcp(server));
    await until('the sixth to be closed', more);
    assert.ok(sockets.every((socket) => !socket.destroyed));
    for (const socket of sockets.slice(0, 2)) socket.destroy();
    await until(
      'a place to be free',
      async () => (await request(server, 'GET', maps).catch(() => undefined))?.status === 200,
    );
    for (const socket of sockets) socket.destroy();
  });

  it('is bounded in all', async () => {
    await using server = await startServer({ maxConnections: 3, drainTimeoutMs: 500 });
    const sockets = await Promise.all([1, 2, 3].map(() => openHttp1(server)));
    await until('the fourth to be closed', closing(await openTcp(server)));
    for (const socket of sockets) socket.destroy();
  });

  it('of streams on a connection is a hundred', async () => {
    await using server = await startServer({ drainTimeoutMs: 500 });
    const session = await openHttp2(server);
    assert.equal(session.remoteSettings.maxConcurrentStreams, 100);
    session.destroy();
  });

  it('does not grow with peers that are gone: TCP asks whether they are there', async () => {
    await using server = await startServer({ drainTimeoutMs: 500 });
    const socket = await openHttp1(server);
    socket.write(head(server, 'GET', `${maps}?watch=1`));
    await once(socket, 'data');
    const ports = [server.port, socket.localPort ?? 0].map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
    // Of Linux: local address, remote address, state, queues, and the timer that runs, of which 02 is that of keepalive.
    const timer = new RegExp(`:${ports[0]} [0-9A-F]+:${ports[1]} 01 [0-9A-F:]+ 02:`);
    await until('the timer of keepalive to run', async () => timer.test(await readFile('/proc/net/tcp', 'latin1')));
    socket.destroy();
  });
});
