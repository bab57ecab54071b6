import assert from 'node:assert/strict';
import { pino } from 'pino';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../../src/meta/read-field.ts';
import { systemScope } from '../../../../src/registry/internal/ensure-object.ts';
import { createRbac } from '../../../../src/authz/rbac/rbac.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { createApiCache } from '../../../../src/server/cache/api-cache.ts';
import { type ApiCore, createApiCore } from '../../../../src/server/api-core.ts';
import { announceServer, presentServers, withdrawServer } from '../../../../src/server/post-start/server-presence.ts';
import { defaultServerOptions } from '../../../../src/config/server-options.ts';
import { ensureSystemService } from '../../../../src/server/post-start/system-service.ts';
import { MemoryStore } from '../../../../src/storage/memory/memory-store.ts';

const { signal } = new AbortController();
const first = { address: '10.1.0.1', port: 6443 };
const second = { address: '10.1.0.2', port: 6443 };
const elsewhere = { address: 'fd00::3', port: 7443 };

describe('the service of the API itself', () => {
  let store: MemoryStore;
  let core: ApiCore;
  beforeEach(() => {
    store = new MemoryStore();
    const admissionPlugins = { enabled: [], disabled: ['NamespaceLifecycle'] };
    const context = { store, metrics: new MetricsRegistry(), log: pino({ level: 'silent' }) };
    const options = { ...defaultServerOptions, admissionPlugins };
    const cache = createApiCache(options, context);
    const rbac = createRbac({ ...cache, warm: false, signal: new AbortController().signal });
    core = createApiCore(options, { ...context, cache, signal: new AbortController().signal, authorizers: [], rbac });
  });
  afterEach(async () => {
    await core.caches.close();
    await store.close();
  });

  const presence = () => ({ store, prefix: defaultServerOptions.prefix, signal });

  /** What a server does when it starts, and from time to time. */
  async function offer(): Promise<void> {
    const { registries, identifiers, services } = core;
    const servers = await presentServers(presence());
    const clusterIp = services.clusterIps.at(0);
    await ensureSystemService({ registries, identifiers, clusterIp, port: 6443, nodePort: 0, servers }, signal);
  }

  async function read(group: string, resource: string): Promise<JsonObject> {
    const registry = core.registries.forResource(group, resource);
    assert.ok(registry);
    const scope = { ...systemScope(core.identifiers, registry, signal), namespace: 'default', name: 'cluster' };
    const parsed = JSON.parse((await registry.get(scope, { kind: 'latest' })).json.toString('utf8')) as JsonValue;
    assert.ok(isJsonObject(parsed));
    return parsed;
  }

  const addresses = async (): Promise<unknown> =>
    objectsAt(await read('', 'endpoints'), 'subsets').map((subset) =>
      objectsAt(subset, 'addresses').map(({ ip }) => ip),
    );
  const sliced = async (): Promise<unknown> =>
    objectsAt(await read('discovery.cl.io', 'endpointslices'), 'endpoints').map((endpoint) => endpoint['addresses']);

  it('names the servers that are there, in its endpoints and its slice', async () => {
    await announceServer(presence(), first);
    await announceServer(presence(), second);
    await offer();
    assert.deepEqual(await addresses(), [['10.1.0.1', '10.1.0.2']]);
    assert.deepEqual(await sliced(), [['10.1.0.1'], ['10.1.0.2']]);
    const slice = await read('discovery.cl.io', 'endpointslices');
    assert.deepEqual(objectAt(slice, 'metadata', 'labels'), { 'cluster.io/service-name': 'cluster' });
    assert.equal(slice['addressType'], 'IPv4');
  });

  it('forgets a server that leaves', async () => {
    await announceServer(presence(), first);
    await announceServer(presence(), second);
    await offer();
    await withdrawServer(presence(), second);
    await offer();
    assert.deepEqual(await addresses(), [['10.1.0.1']]);
    assert.deepEqual(await sliced(), [['10.1.0.1']]);
  });

  it('keeps servers on other ports apart', async () => {
    await announceServer(presence(), first);
    await announceServer(presence(), elsewhere);
    await offer();
    assert.deepEqual(await addresses(), [['10.1.0.1'], ['fd00::3']]);
    assert.deepEqual(await sliced(), [['10.1.0.1']]);
  });

  it('writes nothing where nothing has changed', async () => {
    await announceServer(presence(), first);
    await offer();
    const { revision } = await store.status();
    await offer();
    assert.equal((await store.status()).revision, revision);
  });

  it('counts a server once, however often it says that it is there', async () => {
    await announceServer(presence(), first);
    await announceServer(presence(), first);
    assert.deepEqual(await presentServers(presence()), [first]);
  });
});
