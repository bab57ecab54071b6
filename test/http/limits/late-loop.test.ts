import assert from 'node:assert/strict';
import type { TLSSocket } from 'node:tls';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { blockThread } from '../../block-thread.ts';
import { until } from '../until.ts';
import { frameTypes, preface } from './http2-frames.ts';
import { head, openHttp1, textMatching } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const timeoutMs = 1_000;

/** Lets the server read what was written to it. */
async function afterTurns(count = 10): Promise<void> {
  for (let left = count; left > 0; left--) await nextTurn();
}

/** Writes the rest of what a connection sends, which the server reads after the time limit for it. */
async function writeBeforeBlock(socket: TLSSocket, rest: string | Buffer): Promise<void> {
  await afterTurns();
  socket.write(rest);
  blockThread(timeoutMs * 1.5);
}

describe('bytes that arrive in time are not late because the event loop is', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ headersTimeoutMs: timeoutMs, receiveTimeoutMs: timeoutMs });
  });
  after(() => server.stop());

  it('for the headers of a request', async () => {
    const socket = await openHttp1(server);
    const request = head(server, 'GET', '/version');
    socket.write(request);
    await textMatching(socket, /gitVersion/);
    const answered = textMatching(socket, /^HTTP\/1\.1 .*\r\n\r\n./s);
    socket.write(request.slice(0, 10));
    await writeBeforeBlock(socket, request.slice(10));
    assert.match(await answered, /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('for the body of a request', async () => {
    const socket = await openHttp1(server);
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { a: 'x'.repeat(500_000) } });
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const answered = textMatching(socket, /^HTTP\/1\.1 .*\r\n\r\n./s);
    socket.write(head(server, 'POST', maps, type));
    await writeBeforeBlock(socket, body);
    assert.match(await answered, /^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it('for the beginning of HTTP/2', async () => {
    const { port, ca } = server;
    const socket = connectTls({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] }).on('error', () => undefined);
    const types: number[] = [];
    let closed = false;
    socket.on('data', (bytes: Buffer) => types.push(bytes[3] ?? 0)).once('close', () => (closed = true));
    await once(socket, 'secureConnect');
    await writeBeforeBlock(socket, preface);
    await until('the settings of the server, or the end', () => closed || types.includes(frameTypes.settings));
    await afterTurns(100);
    assert.equal(closed, false);
    socket.destroy();
  });
});
