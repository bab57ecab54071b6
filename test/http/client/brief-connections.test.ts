import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { createBriefConnections } from '../../../src/client/brief-connections.ts';
import { createConnections, IdleTimeout } from '../../../src/client/connections.ts';
import { idleConnections } from '../../idle-connections.ts';
import { startTlsServer } from '../../unit/outbound/start-tls-server.ts';

/** Listens with the shortest queue, and never takes a connection from it. */
const blockedListener = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** More than any body of these stories has. */
const limitBytes = 1000;

/** More than the queue takes. */
const waitingSockets = 8;

const get = (path: string, idleTimeoutMs?: number) =>
  ({ method: 'GET', path, headers: {}, body: undefined, signal: undefined, idleTimeoutMs }) as const;

describe('brief connections', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer({ ...idleConnections }, ({ url: path }, response) => {
      if (path === '/head') response.write('{');
      if (path === '/whole') response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('waits a limited time for a response to begin', async () => {
    const connections = createBriefConnections({ server: url, namespace: '' }, { answerTimeoutMs: 50 });
    await assert.rejects(connections.send('requests', {}, get('/silent')), { code: 'ETIMEDOUT', message: /^answer/ });
    await connections.close();
  });

  it('waits a limited time for a whole response, but not of streams', async () => {
    // The head has to arrive within it, on a busy machine too.
    const connections = createBriefConnections({ server: url, namespace: '' }, { requestTimeoutMs: 1000 });
    const late = { code: 'ETIMEDOUT', message: 'no complete response within 1 s' };
    const stream = await connections.send('streams', {}, get('/head', 1500));
    const read = assert.rejects(buffer(stream.stream()), IdleTimeout);
    await assert.rejects(connections.send('requests', {}, get('/silent')), late);
    const begun = await connections.send('requests', {}, get('/head'));
    await assert.rejects(begun.bytes(limitBytes), late);
    const whole = await connections.send('requests', {}, get('/whole'));
    assert.equal(String(await whole.bytes(limitBytes)), '{}');
    await read;
    await connections.close();
  });

  it('reads no body that is longer than the caller takes, as other connections do', async () => {
    const settings = { server: url, namespace: '' };
    for (const connections of [createBriefConnections(settings), createConnections(settings)]) {
      const response = await connections.send('requests', {}, get('/whole'));
      await assert.rejects(response.bytes(1), { reason: 'BadAnswer', message: 'the server sent more than 1 bytes' });
      const again = await connections.send('requests', {}, get('/whole'));
      assert.equal(String(await again.bytes(2)), '{}');
      await connections.close();
    }
  });

  it('uses a connection again only with the certificate that opened it', async () => {
    const other = await startTlsServer();
    const { server: address, ca, cert = '', key = '' } = other.settings;
    const connections = createBriefConnections({ server: address, namespace: '', ...(ca ? { ca } : {}) });
    for (const credentials of [{ cert, key }, { cert, key }, {}, { cert, key }, {}]) {
      await (await connections.send('requests', credentials, get('/'))).bytes(limitBytes);
    }
    assert.deepEqual(
      other.seen.map(({ clientAuthorized }) => clientAuthorized),
      [true, true, false, true, false],
    );
    assert.equal(other.connections, 2);
    await connections.close();
    await other.stop();
  });

  it('waits a limited time for the server to take the connection', async function () {
    // Other systems let more connections wait, or refuse them.
    if (process.platform !== 'linux') this.skip();
    const worker = new Worker(blockedListener, { eval: true });
    const [port] = (await once(worker, 'message')) as [number];
    const waiting: Socket[] = [];
    try {
      for (let at = 0; at < waitingSockets; at++) {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        waiting.push(socket);
        await Promise.race([once(socket, 'connect'), new Promise((resolve) => setTimeout(resolve, 50))]);
      }
      const settings = { server: `http://127.0.0.1:${port}`, namespace: '' };
      const connections = createBriefConnections(settings, { connectTimeoutMs: 100 });
      await assert.rejects(connections.send('requests', {}, get('/')), { code: 'ETIMEDOUT', message: /^connect/ });
      await connections.close();
    } finally {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    }
  });
});
