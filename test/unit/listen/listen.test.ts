import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { ConnectCall, ConnectHandler } from '../../../src/api/connect/connect-subresource.ts';
import { defaultHttpOptions } from '../../../src/api/http-flags.ts';
import { OpenRequests } from '../../../src/http-protocol/requests/open-requests.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { connectSubresources } from '../../../src/catalogue/connect-subresources.ts';
import { listenWithCertificates } from '../../../src/listen/listen.ts';
import type { SniCertificate } from '../../../src/config/flags/sni-certificates.ts';
import { Reloaded } from '../../../src/listen/reloaded.ts';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { type Fixture, startFixture } from '../api/fixture.ts';

interface TlsFixture extends AsyncDisposable {
  readonly api: Fixture;
  /** Opens an HTTP/1.1 connection. */
  open(): Promise<TLSSocket>;
  /** Drains as a server that stops. */
  close(drainTimeoutMs: number): Promise<void>;
}

/** Starts a TLS listener with a pod `p`, whose proxy is a handler. */
async function startTlsFixture(handler: ConnectHandler): Promise<TlsFixture> {
  const connects = connectSubresources.map((one) => (one.subresource === 'proxy' ? { ...one, handler } : one));
  const requests = new OpenRequests(defaultHttpOptions);
  const api = await startFixture({ connects, requests });
  const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  assert.equal((await api.send({ method: 'POST', path: '/api/v1/namespaces/ns/pods', body })).status, 201);
  const [caKey, key] = [await generateKey(), await generateKey()];
  const ca = await issueAuthorityCertificate(caKey, 'CA', new Date(Date.now() + 3_600_000));
  const cert = await issueServingCertificate({ key: caKey, certificatePem: ca }, key, ['127.0.0.1']);
  const fixed = <T>(value: T) =>
    Reloaded.open({
      what: 'a certificate',
      read: async () => value,
      intervalMs: 60_000,
      log: pino({ level: 'silent' }),
    });
  const certificates = {
    serving: await fixed({ cert, key: encodeKey(key), ca }),
    sni: await fixed<readonly SniCertificate[]>([]),
    clientCa: undefined,
    frontProxyCa: undefined,
    watch: () => undefined,
  };
  const limits = defaultServerOptions;
  const bound = { bindAddress: '127.0.0.1', port: 0, limits, tls: limits };
  const listener = await listenWithCertificates(certificates, { ...bound, requests, connects, handler: api.handler });
  let closed: Promise<void> | undefined;
  const close = (drainTimeoutMs: number): Promise<void> => {
    api.shutdown.abort();
    return (closed ??= listener.close(drainTimeoutMs));
  };
  return {
    api,
    close,
    async open() {
      const socket = connect({ host: '127.0.0.1', port: listener.port, ca, ALPNProtocols: ['http/1.1'] });
      await once(socket, 'secureConnect');
      return socket;
    },
    async [Symbol.asyncDispose]() {
      await close(0);
      await api[Symbol.asyncDispose]();
    },
  };
}

const upgrade =
  'GET /api/v1/namespaces/ns/pods/p/proxy HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/** Echoes all bytes of an upgraded connection. */
function echo({ upgrade: offered }: ConnectCall): void {
  const socket = offered?.accept('echo');
  socket?.on('error', () => undefined).on('end', () => socket.end());
  socket?.on('data', (chunk: Buffer) => socket.write(chunk));
}

async function upgraded(server: TlsFixture): Promise<TLSSocket> {
  const socket = await server.open();
  socket.write(upgrade);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.match(chunk.toString(), /^HTTP\/1\.1 101 /);
  return socket;
}

describe('the drain of a listener', () => {
  it('ends early when the handlers of upgraded connections end their sockets', async () => {
    await using server = await startTlsFixture(({ upgrade: offered, shutdown }) => {
      const socket = offered?.accept('echo').resume();
      shutdown.addEventListener('abort', () => socket?.end('goodbye'));
    });
    const socket = await upgraded(server);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    // If it waited for the end of the grace period, this test would not end.
    await Promise.all([server.close(3_600_000), once(socket, 'close')]);
    assert.equal(text, 'goodbye');
  });

  it('closes upgraded connections at the end of the grace period', async () => {
    await using server = await startTlsFixture(echo);
    const socket = await upgraded(server);
    socket.on('error', () => undefined);
    const gone = once(socket, 'close');
    const start = performance.now();
    await server.close(300);
    assert.ok(performance.now() - start >= 290);
    await gone;
  });
});

describe('an upgrade whose handler accepts it late', () => {
  it('loses no byte that arrives before', async () => {
    const [called, accepting] = [newDeferred<void>(), newDeferred<void>()];
    await using server = await startTlsFixture(async (call) => {
      called.resolve();
      await accepting.promise;
      echo(call);
    });
    const socket = await server.open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(`GET /version HTTP/1.1\r\nHost: x\r\n\r\n${upgrade}one `);
    await called.promise;
    await new Promise((resolve) => socket.write('two ', resolve));
    accepting.resolve();
    while (!text.endsWith('two ')) await once(socket, 'data');
    socket.write('three');
    while (!text.endsWith('three')) await once(socket, 'data');
    assert.ok(text.endsWith('\r\n\r\none two three'), text);
    socket.destroy();
  });
});

describe('an upgrade over TLS behind a large response', () => {
  it('starts after the response, with the first byte of its protocol', async () => {
    await using server = await startTlsFixture(echo);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await server.api.configMap(name, { data: { text: 'x'.repeat(900_000) } });
    }
    const socket = await server.open();
    socket.write(`GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\n\r\n${upgrade}first `);
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write('second');
    const chunks: string[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')));
    while (!chunks.slice(-6).join('').endsWith('second')) await once(socket, 'data');
    const text = chunks.join('');
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 101']);
    assert.ok(text.endsWith('\r\n\r\nfirst second'));
    socket.destroy();
  });
});
