import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { head, openHttp1 } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const json = 'Content-Type: application/json\r\n';
const megabyte = Buffer.alloc(1_000_000, ' ');
const chunk = Buffer.concat([Buffer.from('f4240\r\n'), megabyte, Buffer.from('\r\n')]);

/** A request that is refused before the end of its body. */
interface Refusal {
  readonly status: number;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: string;
  readonly token?: string;
}

const refusals: readonly Refusal[] = [
  { status: 413 },
  { status: 401, token: 'wrong' },
  { status: 403, path: '/api/v1/namespaces/kube-system/configmaps', headers: 'Impersonate-User: nobody\r\n' },
  { status: 404, path: '/api/v1/namespaces/default/nothing' },
  { status: 415, headers: 'Content-Encoding: gzip\r\n' },
  { status: 200, method: 'GET' },
  // Its response comes in several parts, after the request was paused.
  { status: 200, method: 'GET', path: '/openapi/v2' },
];

/** How a client sends: it reads at once, or not before it has sent everything. */
const manners = ['reads while it sends', 'reads after it has sent'] as const;

describe('the response to a request whose body is not read', () => {
  let server: TestServer;
  before(async () => (server = await startServer({ anonymousAuth: false, authorizationMode: ['RBAC'] })));
  after(() => server.stop());

  /** Sends a body, and returns what is read until the connection is closed, and the megabytes that were sent. */
  async function send(
    refusal: Refusal,
    megabytes: number,
    isChunked: boolean,
    readsLate: boolean,
  ): Promise<{ readonly text: string; readonly sent: number }> {
    const { method = 'POST', path = maps, headers = '', token = server.token } = refusal;
    // As most clients it sends on when the server has closed its side.
    const socket = await openHttp1(server, true);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let text = '';
    const read = (): unknown => socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    if (!readsLate) read();
    const length = isChunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${megabytes * 1_000_000}\r\n`;
    socket.write(head({ ...server, token }, method, path, json + headers + length));
    let sent = 0;
    for (; sent < megabytes && socket.writable; sent++) {
      const drained = once(socket, 'drain').catch(() => undefined);
      if (!socket.write(isChunked ? chunk : megabyte)) await Promise.race([drained, closed]);
    }
    if (readsLate) read();
    socket.once('end', () => socket.end());
    if (socket.readableEnded) socket.end();
    await closed;
    return { text, sent };
  }

  for (const refusal of refusals)
    for (const isChunked of [false, true])
      for (const manner of manners) {
        const form = isChunked ? 'in chunks' : 'of a known length';
        it(`is read by a client that ${manner}: ${refusal.status} for ${refusal.path ?? maps}, ${form}`, async () => {
          const tries = refusal.status === 413 ? 9 : 3;
          for (let count = 0; count < tries; count++) {
            const { text } = await send(refusal, 10 + (count % 3) * 5, isChunked, manner === manners[1]);
            assert.match(text, new RegExp(`^HTTP/1.1 ${refusal.status} [^]*"kind"`), `try ${count}: ${text}`);
          }
        });
      }

  it('closes the connection of a client that never stops sending', async () => {
    const { text, sent } = await send({ status: 413 }, 1_000, true, false);
    assert.match(text, /^HTTP\/1.1 413 /);
    assert.ok(sent < 200, `${sent} MB were read`);
  });

  it('keeps the connection of a client whose body is small', async () => {
    const socket = await openHttp1(server);
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    const refused = head({ ...server, token: 'wrong' }, 'POST', maps, `${json}Content-Length: 1000\r\n`);
    socket.write(refused);
    socket.write(`${' '.repeat(1000)}${head(server, 'GET', '/version', 'Connection: close\r\n')}`);
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1.1 401 [^]*HTTP\/1.1 200 /);
  });

  it('is read over HTTP/2', async () => {
    const session = connectHttp2(server.url, { ca: server.ca });
    for (let count = 0; count < 10; count++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': maps,
        'content-type': 'application/json',
        authorization: `Bearer ${server.token}`,
      });
      let text = '';
      stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const closed = new Promise((resolve) => stream.once('close', resolve));
      const [headers] = await Promise.all([
        once(stream, 'response'),
        (async () => {
          for (let sent = 0; sent < 10 && stream.writable; sent++)
            await Promise.race([stream.write(megabyte) || once(stream, 'drain'), closed]);
        })(),
      ]);
      await closed;
      assert.equal((headers[0] as { ':status'?: number })[':status'], 413);
      assert.match(text, /"reason": ?"RequestEntityTooLarge"/);
      assert.equal(stream.rstCode, 0);
    }
    session.close();
  });
});
