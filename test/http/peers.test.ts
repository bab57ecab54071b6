import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { encodeKey, generateKey } from '../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../src/pki/issue-certificate.ts';
import { serveObjectStore } from '../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { proxyHeaders } from './aggregation/aggregated-world.ts';
import { request } from './http-client.ts';
import { type EgressProxy, startSocketProxy } from './connect/start-egress-proxy.ts';
import { createAuthority } from './identity/certificate-authority.ts';
import { openWatch } from './reads/open-watch.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

const classes = '/apis/resource.cl.io/v1/deviceclasses';
const leases = '/apis/coordination.cl.io/v1/namespaces/cl-system/leases';
const form = 'application/json;g=apidiscovery.cl.io;v=v2;as=APIGroupDiscoveryList';
const deviceClass = (name: string): JsonObject => ({ metadata: { name }, spec: {} });

describe('two servers of different releases on one store', () => {
  let directory: string;
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let older: TestServer;
  let newer: TestServer;
  let proxy: EgressProxy;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'peers-'));
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(path.join(directory, name), content);
      return path.join(directory, name);
    };
    const proxies = await createAuthority('proxies');
    const { certPem, keyPem } = await proxies.issue('peer');
    const caKey = await generateKey();
    const ca = await issueAuthorityCertificate(caKey, 'servers', new Date(Date.now() + 3_600_000));
    const key = await generateKey();
    const names = ['cluster.default.svc', 'localhost', '127.0.0.1'];
    const cert = await issueServingCertificate({ key: caKey, certificatePem: ca }, key, names);
    served = await serveObjectStore(new MemoryStore(), '127.0.0.1:0');
    const common = {
      store: { kind: 'remote', endpoint: served.endpoint },
      tlsCertFile: await file('serving.pem', `${cert}${ca}`),
      tlsPrivateKeyFile: await file('serving.key', encodeKey(key)),
      peerCaFile: await file('servers.pem', ca),
      proxyClient: { certFile: await file('proxy.pem', certPem), keyFile: await file('proxy.key', keyPem) },
      frontProxy: { caFile: await file('proxies.pem', proxies.pem), allowedNames: ['peer'], headers: proxyHeaders },
    } as const;
    const featureGates = ['UnknownVersionInteroperabilityProxy=true'];
    proxy = await startSocketProxy(directory);
    const connection = { proxyProtocol: 'HTTPConnect', transport: proxy.transport };
    const selector = {
      apiVersion: 'apiserver.cl.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [{ name: 'controlplane', connection }],
    };
    older = await startServer({
      ...common,
      emulatedRelease: '1.33',
      featureGates,
      identityName: 'older',
      egressSelectorConfigFile: await file('egress', JSON.stringify(selector)),
    });
    newer = await startServer({ ...common, emulatedRelease: '1.36', identityName: 'newer' });
    await until('the older one to know what the newer one serves', async () =>
      (await versionsOf(older)).includes('v1'),
    );
  });
  after(async () => {
    await older.stop();
    await newer.stop();
    await proxy.stop();
    await served.close();
    await rm(directory, { recursive: true });
  });

  /** The versions of the devices' group that a server shows. */
  async function versionsOf(server: TestServer, accept = form): Promise<readonly string[]> {
    const { body } = await request(server, 'GET', '/apis', undefined, { accept });
    const groups = objectsAt(body as JsonObject, 'items');
    const found = groups.find((group) => stringAt(objectAt(group, 'metadata'), 'name') === 'resource.cl.io');
    return objectsAt(found ?? {}, 'versions').map((one) => stringAt(one, 'version'));
  }

  it('announce themselves with their address for the other', async () => {
    const { body } = await request(newer, 'GET', leases);
    const identities = objectsAt(body as JsonObject, 'items').filter(({ metadata }) =>
      stringAt(objectAt({ metadata: metadata ?? {} }, 'metadata', 'labels'), 'apiserver.cluster.io/identity'),
    );
    const addresses = identities.map((lease) =>
      stringAt(objectAt(lease, 'metadata', 'annotations'), 'cluster.io/peer-advertise-address'),
    );
    assert.deepEqual(addresses.toSorted(), [older, newer].map(({ url }) => new URL(url).host).toSorted());
  });

  it('forward a request for a resource that only the other serves, with its user', async () => {
    const created = await request(older, 'POST', `${classes}?fieldManager=me`, deviceClass('one'));
    assert.equal(created.status, 201, created.text);
    const read = await request(older, 'GET', `${classes}/one`);
    assert.equal(stringAt(objectAt(read.body as JsonObject, 'metadata'), 'uid').length, 36);
    assert.deepEqual(read.body, (await request(newer, 'GET', `${classes}/one`)).body);
    assert.ok(proxy.targets.includes(new URL(newer.url).host), 'through the proxy of the control plane');
    const refused = await request(older, 'POST', classes, deviceClass('Not A Name'));
    assert.equal(refused.status, 422);
    const labels = 'code="201",group="resource.cl.io",resource="deviceclasses",version="v1"';
    assert.equal((await readMetrics(older)).get(`apiserver_rerouted_request_total{${labels}}`), 1);
  });

  it('forward watches', async () => {
    const watch = await openWatch(older, `${classes}?watch=true&fieldSelector=metadata.name%3Dwatched`);
    await request(newer, 'POST', classes, deviceClass('watched'));
    await until('the event', () => watch.events.some(({ type }) => type === 'ADDED'));
    watch.stop();
  });

  it('do not forward a forwarded request, nor one for an unknown resource', async () => {
    const passed = await request(older, 'GET', classes, undefined, { 'x-kubernetes-peer-proxied': 'true' });
    assert.equal(passed.status, 404);
    assert.equal((await request(older, 'GET', '/apis/resource.cl.io/v7/deviceclasses')).status, 404);
  });

  it('show the resources of both in discovery, unless only their own are asked for', async () => {
    assert.deepEqual(await versionsOf(older, `${form};profile=nopeer`), []);
    const { body } = await request(older, 'GET', '/apis');
    assert.ok(!objectsAt(body as JsonObject, 'groups').some(({ name }) => name === 'resource.cl.io'));
  });

  it('forget one that has stopped', async () => {
    await newer.stop();
    await until('its resources to go', async () => (await versionsOf(older)).length === 0);
    assert.equal((await request(older, 'GET', classes)).status, 404);
  });
});
