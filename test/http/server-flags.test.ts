import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { startServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A Pod with a container of a security context. */
const podWith = (securityContext: object) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', securityContext }] },
});

describe('a server with flags of kube-apiserver', () => {
  let server: TestServer | undefined;
  const start = async (options: TestServerOptions): Promise<TestServer> => (server = await startServer(options));
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('refuses privileged containers, has no garbage collector, hides metrics, and ends watches early', async () => {
    const running = await start({
      allowPrivileged: false,
      enableGarbageCollector: false,
      disabledMetrics: ['process_open_fds'],
      allowMetricLabels: { 'apiserver_request_total,verb': ['GET'] },
      minRequestTimeoutSeconds: 1,
      externalHostname: 'api.example.com:6443',
    });
    const refused = await request(running, 'POST', pods, podWith({ privileged: true }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /securityContext\.privileged: Forbidden: disallowed by cluster policy/);
    assert.equal((await request(running, 'POST', pods, podWith({ privileged: false }))).status, 201);

    const maps = '/api/v1/namespaces/default/configmaps';
    await request(running, 'POST', maps, { metadata: { name: 'm' } });
    await request(running, 'DELETE', `${maps}/m?propagationPolicy=Foreground`);
    assert.equal((await request(running, 'GET', `${maps}/m`)).status, 404, 'nobody would end a foreground deletion');

    const metrics = await readMetrics(running);
    assert.equal(
      [...metrics.keys()].some((name) => name.startsWith('process_open_fds')),
      false,
    );
    const verbs = [...metrics.keys()].flatMap((name) => /^apiserver_request_total.*verb="(\w+)"/.exec(name)?.[1] ?? []);
    assert.deepEqual([...new Set(verbs)].toSorted(), ['GET', 'unexpected']);

    const discovery = await request(running, 'GET', '/.well-known/openid-configuration');
    assert.match(discovery.text, /"jwks_uri":"https:\/\/api\.example\.com:6443\/openid\/v1\/jwks"/);

    const watch = await request(running, 'GET', `${maps}?watch=true`);
    assert.equal(watch.status, 200, 'the watch has ended: its time is one to two seconds');
  });

  it('serves HTTP/1.1 only, with the groups of key exchanges of its flag', async () => {
    const { port, ca } = await start({ disableHttp2: true, tlsCurves: ['P-384'] });
    const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2', 'http/1.1'] });
    await once(socket, 'secureConnect');
    const { name } = socket.getEphemeralKeyInfo() as { readonly name?: string };
    assert.deepEqual([socket.alpnProtocol, name], ['http/1.1', 'secp384r1']);
    socket.destroy();
    const other = connect({ host: '127.0.0.1', port, ca, ecdhCurve: 'X25519' });
    const [error] = (await once(other, 'error')) as [Error];
    other.on('error', () => undefined);
    assert.match(error.message, /handshake failure|ECONNRESET/);
  });

  it('serves profiles on a socket of the machine, and nothing else there', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'debug-'));
    const socketPath = path.join(folder, 'debug.sock');
    const get = async (url: string): Promise<{ status: number | undefined; bytes: number; isQueued: boolean }> => {
      const sent = requestHttp({ socketPath, path: url }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let bytes = 0;
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      const isQueued = Object.keys(response.headers).some((name) => name.includes('flowschema'));
      return { status: response.statusCode, bytes, isQueued };
    };
    try {
      await start({ debugSocketPath: socketPath });
      assert.equal((await stat(socketPath)).mode & 0o777, 0o600);
      const profile = await get('/debug/profile?seconds=1');
      assert.equal(profile.status, 200);
      assert.ok(profile.bytes > 100);
      assert.equal(profile.isQueued, false, 'a profile of a busy server need not wait for its turn');
      for (const url of ['/api/v1/secrets', '/metrics', '/debug/heapx']) assert.equal((await get(url)).status, 404);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('answers 429 to new requests while it drains, with a time to come back', async () => {
    const running = await start({ shutdownSendRetryAfter: true });
    const body = '{"metadata":{"name":"slow"}}';
    const socket = connect({ host: '127.0.0.1', port: running.port, ca: running.ca, ALPNProtocols: ['http/1.1'] });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(
      `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const inFlight = 'apiserver_current_inflight_requests{request_kind="mutating"}';
    await until('the request to arrive', async () => (await readMetrics(running)).get(inFlight) === 1);
    const stopped = running.stop();
    await until('new requests to be refused', async () => {
      const { status, headers, text: answer } = await request(running, 'GET', '/version');
      if (status !== 429) return false;
      assert.equal(headers['retry-after'], '5');
      assert.equal(answer, 'The apiserver is shutting down, please try again later.\n');
      return true;
    });
    assert.equal((await request(running, 'GET', '/livez')).status, 200);
    socket.write(body);
    await stopped;
    assert.match(text, /^HTTP\/1\.1 201/);
    server = undefined;
  });

  it('publishes itself in the endpoints as its reconciler says, and its Service has a node port', async () => {
    const published = async (running: TestServer) => {
      const { body } = await request(running, 'GET', '/api/v1/namespaces/default/endpoints/cluster');
      const { subsets = [] } = body as { readonly subsets?: readonly { readonly addresses: readonly object[] }[] };
      return subsets.flatMap(({ addresses }) => addresses);
    };
    const advertiseAddress = '192.0.2.7';
    const counted = await start({ advertiseAddress, endpointReconciler: 'master-count', apiServiceNodePort: 30_123 });
    assert.deepEqual(await published(counted), [{ ip: advertiseAddress }]);
    const { body } = await request(counted, 'GET', '/api/v1/namespaces/default/services/cluster');
    const { spec } = body as {
      readonly spec: { readonly type: string; readonly ports: readonly { nodePort: number }[] };
    };
    assert.deepEqual([spec.type, spec.ports[0]?.nodePort], ['NodePort', 30_123]);
    await counted.stop();
    const none = await start({ advertiseAddress, endpointReconciler: 'none' });
    assert.deepEqual(await published(none), []);
  });
});
