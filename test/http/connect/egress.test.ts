import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { createServer } from '../../../src/server/index.ts';
import type { TestServerOptions } from '../../../src/testing/index.ts';
import { idleConnections } from '../../idle-connections.ts';
import { createNode, type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { answer, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { gearsDefinition, gear, gears } from '../custom-resources/conversion-world.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { configMaps } from '../reads/world.ts';
import { until } from '../until.ts';
import { type EgressProxy, startSocketProxy, startTlsProxy } from './start-egress-proxy.ts';

const services = '/api/v1/namespaces/default/services';
const names = ['authn', 'authz', 'audit', 'hook', 'issuer'].map((name) => `${name}.inside`);
const httpConnect = (name: string, { transport }: EgressProxy): object => ({
  name,
  connection: { proxyProtocol: 'HTTPConnect', transport },
});

/** Answers the reviews of all webhooks, and the discovery of an aggregated server. */
function answerReview({ url, body }: { readonly url: string; readonly body: string }): object {
  if (url.startsWith('/apis/')) return { kind: 'APIResourceList', groupVersion: 'far.example.com/v1', resources: [] };
  if (!url.startsWith('/review')) return {};
  const review = JSON.parse(body) as {
    apiVersion: string;
    kind: string;
    request?: { uid: string; objects?: object[] };
  };
  const { apiVersion, kind, request: asked } = review;
  const user = { username: 'ann', groups: ['dev'] };
  const status = kind === 'TokenReview' ? { authenticated: true, user } : { allowed: true };
  const response = { uid: asked?.uid, allowed: true };
  return { apiVersion, kind, ...(asked ? { response } : { status }) };
}

describe('the proxies of egress selections', () => {
  let directory: string;
  let cluster: EgressProxy;
  let controlplane: EgressProxy;
  let target: TlsServer;
  let targetPort: number;
  let world: NodeWorld;
  const web = createHttpServer(idleConnections, (asked, response) => response.end(`web ${asked.url}`));
  let webPort: number;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-egress-'));
    cluster = await startTlsProxy(directory);
    controlplane = await startSocketProxy(directory);
    target = await startTlsServer('hook.default.svc', ...names);
    target.handle = (asked, response) => answer(response, 200, answerReview(asked));
    targetPort = Number(new URL(target.settings.server).port);
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    ({ port: webPort } = web.address() as AddressInfo);
    world = await startNodeWorld(await options());
    await create(services, {
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: 'service.inside' },
    });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await cluster.stop();
    await controlplane.stop();
    await target.stop();
    web.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function write(name: string, content: object): Promise<string> {
    const file = path.join(directory, name);
    await writeFile(file, JSON.stringify(content));
    return file;
  }

  async function selections(...egressSelections: readonly object[]): Promise<string> {
    const kind = { apiVersion: 'apiserver.cl.io/v1beta1', kind: 'EgressSelectorConfiguration' };
    return write('egress', { ...kind, egressSelections });
  }

  /** The client config of a webhook at a name that only the proxies know. */
  function clientConfig(name: string): Promise<string> {
    const { ca = '' } = target.settings;
    const server = `https://${name}.inside:${targetPort}/review`;
    const authority = { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    return write(name, {
      clusters: [{ name: 'c', cluster: { server, ...authority } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
      'current-context': 'x',
    });
  }

  async function options(): Promise<TestServerOptions> {
    const authorizer = { type: 'Webhook', name: 'far', version: 'v1', onFailure: 'no-opinion' } as const;
    const ttls = { authorizedTtlMs: 0, unauthorizedTtlMs: 0, timeoutMs: 5_000 };
    const issuer = { url: `https://issuer.inside:${targetPort}`, certificateAuthority: target.settings.ca };
    const claimMappings = { username: { claim: 'sub', prefix: '' } };
    return {
      emulatedRelease: '1.36',
      serviceResolver: 'cluster-ip',
      maxConnectionBytesPerSecond: 20_000,
      egressSelectorConfigFile: await selections(
        httpConnect('cluster', cluster),
        httpConnect('controlplane', controlplane),
      ),
      authorizationMode: ['RBAC', { ...authorizer, ...ttls, clientConfigFile: await clientConfig('authz') }],
      tokenWebhook: { clientConfigFile: await clientConfig('authn'), cacheTtlMs: 0, version: 'v1' },
      auditPolicyFile: await write('policy', {
        apiVersion: 'audit.cl.io/v1',
        kind: 'Policy',
        rules: [{ level: 'Metadata', users: ['ann'] }, { level: 'None' }],
      }),
      auditWebhook: { clientConfigFile: await clientConfig('audit'), mode: 'blocking' },
      authenticationConfigFile: await write('issuers', {
        apiVersion: 'apiserver.config.cl.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [{ issuer: { ...issuer, audiences: ['a'], egressSelectorType: 'cluster' }, claimMappings }],
      }),
    };
  }

  async function create(url: string, body: object): Promise<void> {
    const created = await request(world.server, 'POST', url, body);
    assert.equal(created.status, 201, created.text);
  }

  /** Creates a ConfigMap with a label that the webhooks of a test select. */
  const createLabelled = (label: string) =>
    request(world.server, 'POST', configMaps, { metadata: { generateName: 'a', labels: { [label]: '' } } });

  function exec(...command: readonly string[]): Promise<string> {
    const { url, ca, token } = world.server;
    const headers = { authorization: `Bearer ${token}` };
    const query = `${command.map((word) => `command=${word}`).join('&')}&stdout=true`;
    const connection = { ca, headers };
    const socket = new WebSocket(
      `wss://${new URL(url).host}${podsPath}/p/exec?${query}`,
      ['v4.channel.k8s.io'],
      connection,
    );
    return new Promise((resolve, reject) => {
      let text = '';
      socket.on('message', (data: Buffer) => (text += data.subarray(1).toString()));
      socket.on('close', () => resolve(text));
      socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
      socket.on('error', reject);
    });
  }

  async function createHook(label: string, client: object): Promise<void> {
    const caBundle = Buffer.from(target.settings.ca ?? '').toString('base64');
    await create('/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations', {
      metadata: { name: label },
      webhooks: [
        {
          name: `${label}.example.com`,
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          objectSelector: { matchExpressions: [{ key: label, operator: 'Exists' }] },
          clientConfig: { ...client, caBundle },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
  }

  it('lead to nodes, pods and Services, with the TLS of the node agent inside', async () => {
    const log = await request(world.server, 'GET', `${podsPath}/p/log`);
    assert.equal(log.status, 200, log.text);
    assert.match(await exec('echo', 'hello'), /^hello\n/);
    const agent = `127.0.0.1:${world.agent.port}`;
    assert.deepEqual(cluster.targets.filter((one) => one === agent).length, 2);
    assert.ok(world.agent.seen.every(({ clientAuthorized }) => clientAuthorized));
    const containers = [{ name: 'c', image: 'i' }];
    await world.createPod('web', { nodeName: 'n', containers }, '192.0.2.7');
    await world.createPod('served', { nodeName: 'n', containers }, '192.0.2.8');
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'served' };
    await create(services, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    await create('/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'web' },
      subsets: [{ addresses: [{ ip: '192.0.2.8', targetRef }], ports: [{ port: webPort }] }],
    });
    for (const [url, address] of [
      [`${podsPath}/web:${webPort}/proxy/x`, '192.0.2.7'],
      [`${services}/web/proxy/x`, '192.0.2.8'],
    ] as const) {
      assert.equal((await request(world.server, 'GET', url)).text, 'web /x');
      assert.ok(cluster.targets.includes(`${address}:${webPort}`), cluster.targets.join());
    }
  });

  it('pass commands on at the rate of the server', async () => {
    const startMs = performance.now();
    const output = await exec('head', '-c', '20000', '/dev/zero');
    // Without the limit it takes some milliseconds; the tests of a busy machine only take longer.
    assert.ok(output.length >= 20_000 && performance.now() - startMs > 800, `${output.length} bytes`);
  });

  it('look up the names of nodes, and never get a forbidden address', async () => {
    await createNode(world, 'far', world.agent.port);
    await world.patchStatus('/api/v1/nodes/far', { addresses: [{ type: 'Hostname', address: 'n' }] });
    await world.createPod('far', { nodeName: 'far', containers: [{ name: 'c', image: 'i' }] });
    const log = await request(world.server, 'GET', `${podsPath}/far/log`);
    assert.equal(log.status, 200, log.text);
    assert.ok(cluster.targets.includes(`n:${world.agent.port}`));
    await world.createPod('local', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '169.254.1.1');
    const refused = await request(world.server, 'GET', `${podsPath}/local:${webPort}/proxy/`);
    assert.equal(refused.status, 400, refused.text);
    assert.ok(!cluster.targets.includes(`169.254.1.1:${webPort}`));
  });

  it('lead to webhooks that are Services by the one of the cluster, to others by the one of the control plane', async () => {
    await createHook('by-service', {
      service: { namespace: 'default', name: 'hook', port: targetPort, path: '/review' },
    });
    await createHook('by-url', { url: `https://hook.inside:${targetPort}/review` });
    const clusterTarget = `service.inside:${targetPort}`;
    await until('the webhook of a Service', async () => {
      assert.equal((await createLabelled('by-service')).status, 201);
      return cluster.targets.includes(clusterTarget);
    });
    await until('the webhook with a URL', async () => {
      assert.equal((await createLabelled('by-url')).status, 201);
      return controlplane.targets.includes(`hook.inside:${targetPort}`);
    });
    assert.ok(!controlplane.targets.includes(clusterTarget));
  });

  it('lead to aggregated servers, and to webhooks that convert', async () => {
    const count = (): number => cluster.targets.filter((one) => one.startsWith('service.inside')).length;
    const before = count();
    const caBundle = Buffer.from(target.settings.ca ?? '').toString('base64');
    const spec = { group: 'far.example.com', version: 'v1', groupPriorityMinimum: 500, versionPriority: 10, caBundle };
    const service = { namespace: 'default', name: 'hook', port: targetPort };
    const metadata = { name: 'v1.far.example.com' };
    await create('/apis/apiregistration.cl.io/v1/apiservices', { metadata, spec: { ...spec, service } });
    await until('the aggregated server', async () => {
      const { status } = await request(world.server, 'GET', '/apis/far.example.com/v1/things');
      return status === 200;
    });
    const aggregated = count();
    assert.ok(aggregated > before);
    const client = { service: { ...service, path: '/convert' } };
    await create('/apis/apiextensions.cl.io/v1/customresourcedefinitions', gearsDefinition(target, { client }));
    await until('the custom kind', async () => {
      return (await request(world.server, 'POST', gears('v1'), gear('v1', 'a', 1))).status === 201;
    });
    await request(world.server, 'GET', gears('v2', 'a'));
    assert.ok(target.seen.some(({ url }) => url.startsWith('/convert')));
    assert.ok(count() > aggregated);
  });

  it('lead to webhooks that authenticate, authorize and audit, and to OpenID providers', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    const headers = { authorization: 'Bearer good' };
    assert.equal((await request(world.server, 'GET', secrets, undefined, headers)).status, 200);
    for (const name of ['authn', 'authz', 'audit']) {
      const url = `${name}.inside:${targetPort}`;
      await until(name, () => controlplane.targets.includes(url));
      assert.ok(!cluster.targets.includes(url));
    }
    await until('the provider', () => target.seen.some(({ url }) => url.startsWith('/.well-known/')));
    assert.ok(cluster.targets.includes(`issuer.inside:${targetPort}`));
  });

  it('that refuse give errors in the words of kube-apiserver, and are counted', async () => {
    cluster.answerWith('502 Bad Gateway');
    const refusal = (server: string) =>
      `proxy error from ${cluster.address} while dialing ${server}, code 502: 502 Bad Gateway`;
    const proxied = await request(world.server, 'GET', `${services}/web/proxy/x`);
    assert.deepEqual(
      [proxied.status, (proxied.body as { message: string }).message],
      [503, `error trying to reach service: ${refusal(`192.0.2.8:${webPort}`)}`],
    );
    const log = await request(world.server, 'GET', `${podsPath}/p/log`);
    assert.equal(log.status, 500);
    assert.ok(log.text.includes(refusal(`127.0.0.1:${world.agent.port}`)), log.text);
    assert.equal(await exec('true'), '500');
    const hook = await createLabelled('by-service');
    assert.equal(hook.status, 500);
    assert.ok(
      hook.text.includes(`:${targetPort}/review?timeout=10s\\": ${refusal(`service.inside:${targetPort}`)}`),
      hook.text,
    );
    const aggregated = await request(world.server, 'GET', '/apis/far.example.com/v1/things');
    assert.equal(aggregated.status, 503, aggregated.text);
    cluster.answerWith('');
    const ended = await request(world.server, 'GET', `${services}/web/proxy/x`);
    const text = `reading HTTP response from CONNECT to 192.0.2.8:${webPort} via proxy ${cluster.address} failed: EOF`;
    assert.ok(ended.text.includes(text), ended.text);
    cluster.answerWith(undefined);
    assert.equal((await request(world.server, 'GET', `${services}/web/proxy/x`)).text, 'web /x');
    await controlplane.stop();
    const unreachable = await createLabelled('by-url');
    const missing = `dial unix ${controlplane.address}: connect: no such file or directory`;
    assert.ok(unreachable.text.includes(missing), unreachable.text);
    const metrics = await readMetrics(world.server);
    const dialer = 'apiserver_egress_dialer_dial_';
    const value = (series: string): number => metrics.get(series) ?? assert.fail(`no ${series}`);
    const tcp = 'protocol="http_connect",transport="tcp"';
    assert.ok(value(`${dialer}failure_count{protocol="http_connect",stage="connect",transport="uds"}`) > 0);
    const failed = value(`${dialer}failure_count{protocol="http_connect",stage="proxy",transport="tcp"}`);
    const opened = value(`${dialer}duration_seconds_count{${tcp}}`);
    assert.ok(failed >= 5 && opened >= 8, `${failed} and ${opened}`);
    assert.ok(value(`${dialer}start_total{${tcp}}`) >= failed + opened);
  });

  it('lead to etcd', async () => {
    const egressSelectorConfigFile = await selections(httpConnect('etcd', cluster));
    const server = await createServer({
      egressSelectorConfigFile,
      store: { kind: 'etcd', servers: ['http://etcd.inside:1'] },
      tokens: [{ token: 'a', username: 'a' }],
    });
    await until('a connection to etcd', () => cluster.targets.includes('etcd.inside:1'));
    await server.close();
  });

  it('must be there for the issuers that name them', async () => {
    const authenticationConfigFile = path.join(directory, 'issuers');
    const start = async (...given: readonly object[]) => {
      const file = given.length === 0 ? {} : { egressSelectorConfigFile: await selections(...given) };
      return createServer({ ...file, emulatedRelease: '1.36', authenticationConfigFile });
    };
    await assert.rejects(start(), /oidc: egress lookup required with egress selector type "cluster"/);
    await assert.rejects(start(httpConnect('etcd', cluster)), /oidc: egress lookup for "cluster" is not configured/);
  });
});
