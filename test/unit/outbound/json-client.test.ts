import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createJsonClient } from '../../../src/outbound/json-client.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { until } from '../../http/until.ts';

interface SlowServer extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
  /** The requests for `/slow` that have come; the others are answered at once. */
  readonly held: Http2ServerResponse[];
  readonly connections: number;
}

/** A server over HTTP/2. */
async function startSlowServer(): Promise<SlowServer> {
  const [key, serverKey] = [await generateKey(), await generateKey()];
  const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3_600_000));
  const cert = await issueServingCertificate({ key, certificatePem: ca }, serverKey, ['127.0.0.1']);
  const server = createSecureServer({ cert, key: encodeKey(serverKey) });
  const held: Http2ServerResponse[] = [];
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.on('request', (request, response) => {
    if (request.url === '/slow') held.push(response);
    else response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    ca,
    held,
    get connections() {
      return sessions.length;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const session of sessions) session.destroy();
      await once(server, 'close');
    },
  };
}

describe('the client of JSON over HTTP/2', () => {
  it('lets no request wait for a slow one, although one before it was given up', async () => {
    await using server = await startSlowServer();
    const { url, ca, held } = server;
    // The time is for a slow machine.
    const limits = { timeoutMs: 240_000, maxResponseBytes: 1_000, connections: 10, http2: true };
    const client = createJsonClient({ ca }, limits);
    const get = (path: string, signal = new AbortController().signal) =>
      client.request({ method: 'GET', url: url + path, signal });

    const slow = [get('/slow')];
    await get('/quick');
    await until('a slow request to be running', () => held.length === 1);
    await until('a connection besides to be idle', () => server.connections === 2);
    const givenUp = assert.rejects(get('/quick', AbortSignal.abort(new Error('given up'))), /given up/);
    slow.push(get('/slow'));
    await givenUp;
    await nextTurn();

    let isAnswered = false;
    const last = get('/quick').then(() => (isAnswered = true));
    await until('a later request to be answered', () => isAnswered, 30_000);
    assert.equal(held.length, 2, 'the slow ones are still running');
    for (const response of held) response.end('{}');
    await Promise.all([...slow, last]);
    await client.close();
  });
});

describe('the client of JSON', () => {
  it('ends a request at once while its connection is not yet made', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const client = createJsonClient({}, { timeoutMs: 30_000, maxResponseBytes: 1_000, connections: 1 });
    const caller = new AbortController();
    let failure: unknown;
    client
      .request({ method: 'POST', url: `https://127.0.0.1:${port}/`, body: '{}', signal: caller.signal })
      .catch((error: unknown) => (failure = error));
    await until('the connection arrived', () => sockets.length > 0);
    caller.abort('enough');
    await nextTurn();
    assert.equal(failure, 'enough');
    for (const socket of sockets) socket.destroy();
    silent.close();
    await client.close();
  });
});
