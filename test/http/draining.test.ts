import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import net from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

/** A connection of HTTP/1.1 whose requests are written by hand. */
async function open(server: TestServer): Promise<{ readonly socket: TLSSocket; readonly text: () => string }> {
  const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['http/1.1'] });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'secureConnect');
  return { socket, text: () => text };
}

const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"slow"}}';

/** The beginning of a creation whose body comes later. */
const beginning = (token: string): string =>
  `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

/** Waits until a creation whose body has not come is in flight. */
function untilCreating(server: TestServer): Promise<void> {
  const series = 'apiserver_current_inflight_requests{request_kind="mutating"}';
  return until('the request to arrive', async () => (await readMetrics(server)).get(series) === 1);
}

async function isRefused({ port }: TestServer): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
}

describe('a server that stops', () => {
  it('finishes an open request, and answers it with Connection: close', async () => {
    const server = await startServer();
    const { socket, text } = await open(server);
    socket.write(beginning(server.token));
    await untilCreating(server);
    const stopped = server.stop();
    await until('no new connection to be taken', () => isRefused(server));
    socket.write(body);
    await once(socket, 'close');
    assert.match(text(), /^HTTP\/1\.1 201/);
    assert.match(text(), /\r\nconnection: close\r\n/i);
    await stopped;
  });

  it('lets the streams of an HTTP/2 connection finish, and takes no new ones', async () => {
    const server = await startServer();
    const session = connectHttp2(server.url, { ca: server.ca });
    session.on('error', () => undefined);
    const goaway = once(session, 'goaway');
    const stream = session.request({
      ':method': 'POST',
      ':path': '/api/v1/namespaces/default/configmaps',
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
    });
    await untilCreating(server);
    const stopped = server.stop();
    await goaway;
    const answered = once(stream, 'response');
    stream.end(body);
    const [headers] = (await answered) as [{ ':status'?: number }];
    assert.equal(headers[':status'], 201);
    stream.resume();
    await stopped;
  });

  it('says GOAWAY to an idle HTTP/2 client before it closes the connection', async () => {
    const server = await startServer();
    const session = connectHttp2(server.url, { ca: server.ca });
    session.on('error', () => undefined);
    await once(session, 'remoteSettings');
    let goneAway = false;
    session.once('goaway', () => (goneAway = true));
    const closed = once(session, 'close');
    await server.stop();
    await closed;
    assert.ok(goneAway, 'the connection was closed without a word');
  });
});
