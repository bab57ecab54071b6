import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from '../../../src/client/transport.ts';
import { openCredentials } from '../../../src/outbound/credentials/open-credentials.ts';
import type { ExecSettings } from '../../../src/outbound/config/connection-settings.ts';
import { NotSentError } from '../../../src/outbound/call-error.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

const failure = (code: number, reason: string) => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: reason,
});

describe('a transport', () => {
  let server: TlsServer;
  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    server.seen.length = 0;
  });

  /** Answers a code with a time to wait once, then succeeds. */
  const failOnce = (code: number, retryAfter?: string) => {
    let failed = false;
    server.handle = (_, response) => {
      if (failed) return answer(response, 200, {});
      failed = true;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      return answer(response, code, failure(code, 'Busy'));
    };
  };
  const send = async (method: string, settings = {}, options = {}) => {
    const transport = createTransport({ ...server.settings, ...settings }, options);
    try {
      await transport.request({ method, path: '/api/v1/secrets' });
    } finally {
      await transport.close();
    }
  };

  const cases: readonly (readonly [method: string, code: number, retryAfter: string | undefined, repeated: boolean])[] =
    [
      ['GET', 429, '0', true],
      ['POST', 429, '0', true],
      ['POST', 429, new Date(0).toUTCString(), true],
      ['GET', 503, '0', true],
      ['POST', 503, '0', false],
      ['PATCH', 500, '0', false],
      ['GET', 503, undefined, false],
      ['POST', 429, undefined, false],
      ['GET', 404, '0', false],
    ];
  for (const [method, code, retryAfter, repeated] of cases) {
    const when = retryAfter === undefined ? 'without a time' : 'with a time';
    it(`${repeated ? 'repeats' : 'does not repeat'} a ${method} after ${code} ${when} to wait`, async () => {
      failOnce(code, retryAfter);
      if (repeated) await send(method);
      else await assert.rejects(send(method), { name: 'StatusError', code });
      assert.equal(server.seen.length, repeated ? 2 : 1);
    });
  }

  it('waits as long as the server asks, and no more often than it may', async () => {
    server.handle = (_, response) => {
      response.setHeader('retry-after', '0');
      answer(response, 429, failure(429, 'TooManyRequests'));
    };
    await assert.rejects(send('GET', {}, { retries: 3 }), { reason: 'TooManyRequests', retryAfterMs: 0 });
    assert.equal(server.seen.length, 4);
  });

  it('repeats a read whose connection was lost, once, and no write', async () => {
    server.handle = (_, response) => void response.socket?.destroy();
    for (const [method, count] of [
      ['GET', 2],
      ['POST', 1],
    ] as const) {
      server.seen.length = 0;
      await assert.rejects(send(method), { name: 'StatusError', reason: 'Unreachable', code: 0 });
      assert.equal(server.seen.length, count);
    }
  });

  it('sends nothing after it is closed', async () => {
    const transport = createTransport(server.settings);
    await transport.close();
    await assert.rejects(transport.request({ method: 'GET', path: '/' }), { reason: 'Unreachable' });
    assert.equal(server.seen.length, 0);
  });

  it('asks whether a request may be sent when its connection is ready', async () => {
    server.handle = (_, response) => answer(response, 200, {});
    let mayBeSent = true;
    const beforeSend = (): void => {
      if (!mayBeSent) throw new NotSentError('too late');
    };
    // It holds its first connection, so that the request waits for its handshake.
    const sockets: Socket[] = [];
    const forward = (socket: Socket): void => {
      const onward = connect(Number(new URL(server.settings.server).port), '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      sockets.push(socket, onward);
    };
    const holding = createServer().listen(0, '127.0.0.1');
    const first = once(holding, 'connection');
    await once(holding, 'listening');
    const { port } = holding.address() as AddressInfo;
    const transport = createTransport({ ...server.settings, server: `https://127.0.0.1:${port}`, beforeSend });
    try {
      const refused = assert.rejects(transport.request({ method: 'POST', path: '/' }), NotSentError);
      const [held]: Socket[] = await first;
      assert.ok(held);
      holding.on('connection', forward);
      mayBeSent = false;
      forward(held);
      await refused;
      mayBeSent = true;
      await transport.request({ method: 'GET', path: '/' });
      assert.deepEqual(
        server.seen.map(({ method }) => method),
        ['GET'],
      );
    } finally {
      await transport.close();
      for (const socket of sockets) socket.destroy();
      holding.close();
    }
  });

  it('lets any number of requests share a signal', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    server.handle = (_, response) => answer(response, 200, {});
    const transport = createTransport(server.settings);
    const { signal } = new AbortController();
    const requests = Array.from({ length: 20 }, () => transport.request({ method: 'GET', path: '/', signal }));
    await Promise.all(requests);
    // Node emits warnings in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    assert.deepEqual(warnings, []);
    await transport.close();
  });

  it('stops waiting when its caller does', async () => {
    failOnce(429, '60');
    const transport = createTransport(server.settings);
    const stop = new AbortController();
    const request = transport.request({ method: 'GET', path: '/', signal: stop.signal });
    const { handle } = server;
    server.handle = async (seen, response) => {
      await handle(seen, response);
      stop.abort(new Error('enough'));
    };
    await assert.rejects(request, /enough/);
    await transport.close();
  });

  describe('with credentials that change', () => {
    let directory: string;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'transport-'));
    });
    after(() => rm(directory, { recursive: true }));

    /** Accepts one token. */
    const accept = (token: string) => {
      server.handle = ({ headers }, response) => {
        if (headers.authorization === `Bearer ${token}`) answer(response, 200, {});
        else answer(response, 401, failure(401, 'Unauthorized'));
      };
    };
    const plugin = (code: string): ExecSettings => ({
      command: process.execPath,
      args: ['-e', code],
      env: [],
      apiVersion: 'client.authentication.cl.io/v1',
      interactiveMode: 'Never',
    });
    const exec = (status: unknown) =>
      plugin(`console.log(JSON.stringify({kind: 'ExecCredential', apiVersion: 'client.authentication.cl.io/v1',
        status: ${JSON.stringify(status)}}))`);

    it('reads a token file again after a 401, and repeats the request once', async () => {
      const tokenFile = join(directory, 'token');
      await writeFile(tokenFile, 'old\n');
      const transport = createTransport({ ...server.settings, tokenFile });
      accept('old');
      await transport.request({ method: 'GET', path: '/' });
      accept('new');
      await assert.rejects(transport.request({ method: 'POST', path: '/' }), { code: 401 });
      assert.equal(server.seen.length, 2, 'the file has not changed');
      await writeFile(tokenFile, 'new');
      await transport.request({ method: 'POST', path: '/' });
      assert.equal(server.seen.length, 4);
      await transport.close();
    });

    it('reads the files of a certificate again after a 401, and uses no half of a pair', async () => {
      const key = await generateKey();
      const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3600_000));
      const issue = (username: string) =>
        issueClientCertificate({ key, certificatePem: ca }, { username, groups: [] }, 3600_000);
      const [one, two] = await Promise.all([issue('one'), issue('two')]);
      const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
      await writeFile(certFile, one.certPem);
      await writeFile(keyFile, one.keyPem);
      const source = openCredentials({ ...server.settings, certFile, keyFile });
      const first = await source.get();
      assert.deepEqual(first, { cert: one.certPem, key: one.keyPem });
      assert.equal(await source.renew(first), undefined);
      await writeFile(certFile, two.certPem);
      assert.equal(await source.renew(first), undefined);
      await writeFile(keyFile, two.keyPem);
      assert.deepEqual(await source.renew(first), { cert: two.certPem, key: two.keyPem });
      assert.deepEqual(await source.get(), { cert: two.certPem, key: two.keyPem });
    });

    it('runs a plugin again after a 401, once a request', async () => {
      accept('never');
      const transport = createTransport({ ...server.settings, exec: exec({ token: 'plugin' }) });
      await assert.rejects(transport.request({ method: 'GET', path: '/' }), { code: 401 });
      assert.deepEqual(
        server.seen.map(({ headers }) => headers.authorization),
        ['Bearer plugin', 'Bearer plugin'],
      );
      await transport.close();
    });

    it('says why there are no credentials', async () => {
      const transport = createTransport({ ...server.settings, exec: plugin('process.exit(2)') });
      await assert.rejects(transport.request({ method: 'GET', path: '/' }), {
        name: 'StatusError',
        reason: 'NoCredentials',
        message: /^getting credentials: exec: executable .* failed with exit code 2$/,
      });
      await transport.close();
    });

    it('opens new connections for another certificate, and ends the streams of the old one', async () => {
      const key = await generateKey();
      const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3600_000));
      const authority = { key, certificatePem: ca };
      const certificates = await Promise.all(
        ['one', 'two'].map((username) => issueClientCertificate(authority, { username, groups: [] }, 3600_000)),
      );
      const file = join(directory, 'status');
      const use = (index: number) => {
        const { certPem, keyPem } = certificates[index] ?? { certPem: '', keyPem: '' };
        const status = {
          clientCertificateData: certPem,
          clientKeyData: keyPem,
          expirationTimestamp: '2000-01-01T00:00:00Z',
        };
        return writeFile(file, JSON.stringify(status));
      };
      await use(0);
      const transport = createTransport({
        ...server.settings,
        exec: plugin(`console.log(JSON.stringify({kind: 'ExecCredential', apiVersion: 'client.authentication.cl.io/v1',
          status: JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}))}))`),
      });
      server.handle = ({ url }, response) => {
        if (url === '/stream') response.flushHeaders();
        else answer(response, 200, {});
      };
      const before = server.connections;
      await transport.request({ method: 'GET', path: '/' });
      await transport.request({ method: 'GET', path: '/' });
      assert.equal(server.connections - before, 1, 'the same certificate, the same connection');
      const stream = await transport.stream({ method: 'GET', path: '/stream' });
      const read = async () => {
        for await (const _ of stream) assert.fail('there is nothing to read');
      };
      const ended = assert.rejects(read(), { name: 'StatusError' });
      await use(1);
      await transport.request({ method: 'GET', path: '/' });
      assert.equal(server.connections - before, 3);
      await ended;
      await transport.close();
    });
  });

  it('sends the user whom it impersonates', async () => {
    server.handle = (_, response) => answer(response, 200, {});
    const impersonate = { username: 'bob', groups: ['g', 'h'], uid: '7', extra: { 'a/b': ['x'] } };
    await send('GET', { impersonate });
    const { headers } = server.seen[0] ?? {};
    assert.deepEqual(
      ['impersonate-user', 'impersonate-group', 'impersonate-uid', 'impersonate-extra-a%2fb'].map(
        (name) => headers?.[name],
      ),
      ['bob', 'g, h', '7', 'x'],
    );
  });
});
