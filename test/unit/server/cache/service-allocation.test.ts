import assert from 'node:assert/strict';
import { array, assert as assertProperty, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { pino } from 'pino';
import type { Service } from '../../../../src/gen/stored/core-v1.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { uidOf } from '../../../../src/meta/object-meta.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../../src/meta/read-field.ts';
import { systemScope, systemWrite } from '../../../../src/registry/internal/ensure-object.ts';
import type { RequestScope, ResourceRegistry, VersionedObject } from '../../../../src/registry/definition/registry.ts';
import { createRbac } from '../../../../src/authz/rbac/rbac.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { createApiCache } from '../../../../src/server/cache/api-cache.ts';
import { type ApiCore, createApiCore } from '../../../../src/server/api-core.ts';
import { serviceRepair } from '../../../../src/resources/core/services/repair.ts';
import { defaultServerOptions, type ServerOptions } from '../../../../src/config/server-options.ts';
import { StatusError } from '../../../../src/status/status-error.ts';
import { itemAllocations } from '../../../../src/storage/objects/item-allocations.ts';
import { MemoryStore } from '../../../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../../src/storage/port/storage-error.ts';

const signal = new AbortController().signal;

function parsed(object: VersionedObject): JsonObject {
  return JSON.parse(object.json.toString('utf8')) as JsonObject;
}

/** One server of several on a store. */
class Server {
  readonly core: ApiCore;
  readonly services: ResourceRegistry;
  readonly scope: RequestScope;

  constructor(store: ObjectStore, options: Partial<ServerOptions>) {
    const admissionPlugins = { enabled: [], disabled: ['NamespaceLifecycle'] };
    const all = { ...defaultServerOptions, admissionPlugins, ...options };
    const context = { store, metrics: new MetricsRegistry(), log: pino({ level: 'silent' }) };
    const cache = createApiCache(all, context);
    const rbac = createRbac({ ...cache, warm: false, signal: new AbortController().signal });
    this.core = createApiCore(all, { ...context, cache, signal: new AbortController().signal, authorizers: [], rbac });
    const services = this.core.registries.forResource('', 'services');
    assert(services);
    this.services = services;
    this.scope = { ...systemScope(this.core.identifiers, services, signal), namespace: 'ns' };
  }

  async create(name: string, spec: JsonObject = {}, dryRun = false): Promise<JsonObject> {
    const object = { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
    return parsed(await this.services.create(this.scope, object, { ...systemWrite(this.core.identifiers), dryRun }));
  }

  async merge(name: string, document: JsonObject): Promise<JsonObject> {
    const patch = { type: 'merge', document, duplicateFields: [] } as const;
    const scope = { ...this.scope, name };
    return parsed((await this.services.patch(scope, patch, systemWrite(this.core.identifiers))).object);
  }

  async read(name: string): Promise<JsonObject> {
    return parsed(await this.services.get({ ...this.scope, name }, { kind: 'latest' }));
  }

  async delete(name: string): Promise<void> {
    await this.services.delete({ ...this.scope, name }, { dryRun: false });
  }
}

function ipOf(service: JsonObject): string {
  return stringAt(objectAt(service, 'spec'), 'clusterIP');
}

function nodePortsOf(service: JsonObject): number[] {
  return objectsAt(objectAt(service, 'spec'), 'ports').map((port) => numberAt(port, 'nodePort') ?? 0);
}

/** A store that, once told to, carries out writes of Services and loses the answers. */
function losesResponses(store: MemoryStore, how: 'create' | 'update'): { readonly store: ObjectStore; begin(): void } {
  let begun = false;
  const lossy = new Proxy<ObjectStore>(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== how) return value.bind(target);
      return async (key: string, ...rest: unknown[]) => {
        const response: unknown = await Reflect.apply(value, target, [key, ...rest]);
        if (!begun || !key.startsWith('/registry/services/')) return response;
        throw new StorageError('UnknownOutcome', 'the answer was lost', { key });
      };
    },
  });
  return {
    store: lossy,
    begin: () => {
      begun = true;
    },
  };
}

describe('addresses and ports of Services', () => {
  let store: MemoryStore;
  let servers: Server[];
  const start = (options: Partial<ServerOptions> = {}, on: ObjectStore = store): Server => {
    const server = new Server(on, options);
    servers.push(server);
    return server;
  };
  const recorded = async (collection: 'cluster-ips' | 'node-ports'): Promise<string[]> =>
    (await itemAllocations(store, '/registry', collection).list()).map(({ item }) => item);
  const refusal = async (work: Promise<unknown>): Promise<StatusError> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert(error instanceof StatusError, 'nothing was refused');
    return error;
  };

  beforeEach(() => {
    store = new MemoryStore();
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map(({ core }) => core.caches.close()));
    await store.close();
  });

  it('gives a Service an address of the range, and takes it back when it is deleted', async () => {
    const server = start({ serviceClusterIpRange: '10.9.0.0/30' });
    const service = await server.create('a');
    assert.match(ipOf(service), /^10\.9\.0\.[12]$/);
    assert.deepEqual(objectAt(service, 'spec')['clusterIPs'], [ipOf(service)]);
    assert.deepEqual(objectAt(service, 'spec')['ipFamilies'], ['IPv4']);
    assert.deepEqual(await recorded('cluster-ips'), [ipOf(service)]);
    await server.delete('a');
    assert.deepEqual(await recorded('cluster-ips'), []);
  });

  it('gives the last address of a range, and says when there is none', async () => {
    const server = start({ serviceClusterIpRange: '10.9.0.0/29' });
    const given = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) given.push(ipOf(await server.create(name)));
    assert.equal(new Set(given).size, 6);
    const error = await refusal(server.create('g'));
    assert.equal(error.code, 500);
    assert.match(error.message, /range is full/);
  });

  it('takes no address for a headless Service, an external name, or a dry run', async () => {
    const server = start();
    await server.create('headless', { clusterIP: 'None', selector: { a: 'b' } });
    await server.create('external', { type: 'ExternalName', externalName: 'a.example.com' });
    assert.notEqual(ipOf(await server.create('dry', {}, true)), '');
    assert.deepEqual(await recorded('cluster-ips'), []);
  });

  it('gives a certain address once, and only from its range', async () => {
    const server = start();
    assert.equal(ipOf(await server.create('a', { clusterIP: '10.0.0.7' })), '10.0.0.7');
    const taken = await refusal(start().create('b', { clusterIP: '10.0.0.7' }));
    assert.equal(taken.code, 422);
    assert.equal(
      taken.message,
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: ' +
        'failed to allocate IP 10.0.0.7: provided IP is already allocated',
    );
    const outside = await refusal(server.create('c', { clusterIP: '10.1.0.7' }));
    assert.match(outside.message, /is not in the valid range\. The range of valid IPs is 10\.0\.0\.0\/24$/);
  });

  it('can be deleted and made again with the same address at once', async () => {
    const server = start();
    for (let round = 0; round < 3; round++) {
      await server.create('a', { clusterIP: '10.0.0.7' });
      await server.delete('a');
    }
  });

  it('gives nothing away for a Service whose name is taken', async () => {
    const server = start();
    await server.create('a');
    assert.equal((await refusal(server.create('a', { type: 'NodePort' }))).code, 409);
    assert.equal((await recorded('cluster-ips')).length, 1);
    assert.deepEqual(await recorded('node-ports'), []);
  });

  for (const how of ['create', 'update'] as const) {
    it(`keeps what it took for a Service where nobody knows whether the ${how} took place`, async () => {
      const deaf = losesResponses(store, how);
      const server = start({ serviceClusterIpRange: '10.9.0.0/29' }, deaf.store);
      if (how === 'update') await server.create('a');
      deaf.begin();
      const spec = { type: 'NodePort' };
      const write = how === 'create' ? server.create('a', spec) : server.merge('a', { spec });
      assert.equal((await refusal(write)).code, 504);
      const service = await start().read('a');
      assert.deepEqual(await recorded('cluster-ips'), [ipOf(service)]);
      assert.deepEqual(await recorded('node-ports'), nodePortsOf(service).map(String));
      assert.notDeepEqual(nodePortsOf(service), [0]);
    });
  }

  it('keeps what a client leaves out, and follows a change of type', async () => {
    const server = start();
    const made = await server.create('a');
    const [nodePort = 0] = nodePortsOf(await server.merge('a', { spec: { type: 'NodePort' } }));
    assert(nodePort >= 30_000 && nodePort <= 32_767);
    const renamed = await server.merge('a', { spec: { ports: [{ port: 80, name: 'web' }], clusterIP: null } });
    assert.deepEqual([ipOf(renamed), nodePortsOf(renamed)], [ipOf(made), [nodePort]]);
    const back = await server.merge('a', { spec: { type: 'ClusterIP' } });
    assert.deepEqual(nodePortsOf(back), [0]);
    assert.deepEqual(await recorded('node-ports'), []);
    await server.merge('a', { spec: { type: 'ExternalName', externalName: 'a.example.com' } });
    assert.deepEqual(await recorded('cluster-ips'), []);
  });

  it('gives a node port to each port, one to a number over two protocols, and one for health', async () => {
    const server = start();
    const service = await server.create('a', {
      type: 'NodePort',
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53 },
        { name: 'web', port: 80, nodePort: 30_080 },
      ],
    });
    const [udp, tcp, web] = nodePortsOf(service);
    assert.equal(udp, tcp);
    assert.equal(web, 30_080);
    assert.equal((await recorded('node-ports')).length, 2);
    await server.create('h', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] });
    assert.equal((await recorded('node-ports')).length, 4);
    const taken = await refusal(server.create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }));
    assert.match(
      taken.message,
      /spec\.ports\[0\]\.nodePort: Invalid value: 30080: provided port is already allocated$/,
    );
    const outside = await refusal(server.create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }));
    assert.match(outside.message, /The range of valid ports is 30000-32767$/);
    assert.equal((await recorded('cluster-ips')).length, 2);
  });

  it('repairs: records what Services hold, and drops what nobody holds in the second round', async () => {
    const server = start();
    const address = ipOf(await server.create('a', { clusterIP: '10.0.0.7' }));
    const claims = itemAllocations(store, '/registry', 'cluster-ips');
    const claim = await claims.find(address);
    assert(claim);
    await claims.drop(claim);
    await claims.take('10.0.0.99', 'somebody who never was');
    await server.core.services.repair(signal);
    assert.deepEqual((await recorded('cluster-ips')).toSorted(), ['10.0.0.99', address].toSorted());
    await server.core.services.repair(signal);
    assert.deepEqual(await recorded('cluster-ips'), [address]);
  });

  describe('with IPAddress objects', () => {
    const release = { emulatedRelease: '1.36' } as const;
    const addressesOf = ({ core: { registries, identifiers } }: Server): ResourceRegistry => {
      const addresses = registries.forResource(`networking.${identifiers.apiDomain}`, 'ipaddresses');
      assert(addresses);
      return addresses;
    };
    const names = async (server: Server): Promise<string[]> => {
      const scope = systemScope(server.core.identifiers, addressesOf(server), signal);
      const { items } = await addressesOf(server).list(scope, { at: { kind: 'latest' }, limit: 0 });
      return items.map((item) => stringAt(objectAt(parsed(item), 'metadata'), 'name'));
    };

    it('deletes unused ones of servers, and none of other programs', async () => {
      const server = start(release);
      const { identifiers } = server.core;
      const hold = async (name: string, labels: JsonObject, resource: string): Promise<void> => {
        const object = { metadata: { name, labels }, spec: { parentRef: { resource, namespace: 'ns', name: 'gone' } } };
        const scope = systemScope(identifiers, addressesOf(server), signal);
        await addressesOf(server).create(scope, object, systemWrite(identifiers));
      };
      const ours = { [`ipaddress.${identifiers.labelDomain}/managed-by`]: `ipallocator.${identifiers.apiDomain}` };
      await hold('10.0.0.7', {}, 'gateways');
      await hold('10.0.0.8', {}, 'services');
      await hold('10.0.0.9', ours, 'services');
      for (let round = 0; round < 2; round++) await server.core.services.repair(signal);
      assert.deepEqual(await names(server), ['10.0.0.7', '10.0.0.8']);
    });

    it('are of one Service each, however many servers take from one ServiceCIDR at once', async () => {
      const range = { ...release, serviceClusterIpRange: '10.9.0.0/28' };
      const racing = [start(range), start(range), start(range)];
      await Promise.all(racing.map((server) => server.core.services.prepare(signal)));
      const made = await Promise.all(
        Array.from({ length: 18 }, async (_, index) => {
          const server = racing[index % 3] ?? assert.fail('no server');
          const spec: JsonObject = index % 6 === 5 ? { clusterIP: '10.9.0.3' } : {};
          return server.create(`s${index}`, spec).then(ipOf, onlyStatus);
        }),
      );
      const given = made.filter((address) => address !== undefined);
      // 14 addresses for 18 Services, of which three want the same.
      assert(given.length >= 12 && given.length <= 14, given.join());
      assert.equal(new Set(given).size, given.length);
      for (const server of racing) assert.deepEqual((await names(server)).toSorted(), given.toSorted());
    });

    it('are made for many Services at once at the first start, and one that a rule refuses stops nothing', async () => {
      const old = start();
      for (let index = 0; index < 100; index++) await old.create(`s${index}`);
      const server = start(release);
      let [running, most] = [0, 0];
      const refused: string[] = [];
      const repair = serviceRepair({
        collections: [
          {
            what: 'addresses',
            ownerOf: uidOf,
            allocations: {
              ...itemAllocations(store, '/registry', 'cluster-ips'),
              list: () => Promise.resolve([]),
              take: async (item, owner) => {
                most = Math.max(most, ++running);
                await new Promise(setImmediate);
                running--;
                if (item.endsWith('.7')) throw new StatusError('Forbidden', 'a policy refuses it');
                return { item, owner, revision: 1 };
              },
            },
          },
        ],
        services: async () => {
          const { items } = await server.services.list(server.scope, { at: { kind: 'latest' }, limit: 0 });
          return items.map((item) => parsed(item) as unknown as Service);
        },
        onShared: (item) => assert.fail(`${item} is shared`),
        onRefused: (item) => refused.push(item),
      });
      await old.create('refused', { clusterIP: '10.0.0.7' }).catch(onlyStatus);
      await repair(signal);
      assert.equal(most, 32);
      assert.deepEqual(refused, ['10.0.0.7']);
    });

    it('calls no webhook for those that servers make, so that a wrong one does not stop the start', async () => {
      await start().create('a', { clusterIP: '10.0.0.7' });
      const server = start(release);
      const { identifiers, registries, services } = server.core;
      const group = `networking.${identifiers.apiDomain}`;
      const webhooks = registries.forResource(
        `admissionregistration.${identifiers.apiDomain}`,
        'validatingwebhookconfigurations',
      );
      assert(webhooks);
      const webhook = {
        name: 'a.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      };
      const write = systemWrite(identifiers);
      await webhooks.create(
        systemScope(identifiers, webhooks, signal),
        { metadata: { name: 'w' }, webhooks: [webhook] },
        write,
      );
      await services.repair(signal);
      await services.prepare(signal);
      assert.deepEqual(await names(server), ['10.0.0.7']);
      const policies = registries.forResource(group, 'networkpolicies');
      assert(policies);
      const scope = { ...systemScope(identifiers, policies, signal), namespace: 'ns' };
      const policy = { metadata: { name: 'p' }, spec: { podSelector: {} } };
      const error = await refusal(policies.create(scope, policy, write));
      assert.match(error.message, /failed calling webhook "a\.example\.com"/);
    });
  });

  describe('the static part of a range', () => {
    const newer = { emulatedRelease: '1.36', serviceClusterIpRange: '10.9.0.0/27' } as const;
    const lastByteOf = (service: JsonObject): number => Number(ipOf(service).split('.')[3]);

    it('is left to clients that name an address, until the rest of the range is taken', async () => {
      const server = start(newer);
      await server.core.services.prepare(signal);
      const given: number[] = [];
      for (let count = 0; count < 15; count++) given.push(lastByteOf(await server.create(`s${count}`)));
      // The first address of 16, and 14 others.
      assert.deepEqual(
        given.slice(0, 14).toSorted((a, b) => a - b),
        Array.from({ length: 14 }, (_, index) => 17 + index),
      );
      assert(given.slice(14).every((last) => last >= 1 && last <= 16));
      const free = given[14] === 16 ? '10.9.0.15' : '10.9.0.16';
      assert.equal(ipOf(await server.create('named', { clusterIP: free })), free);
    });

    it('is a part of the node ports too', async () => {
      const ports = new Set<number>();
      const server = start({ ...newer, serviceNodePortRange: '30000-30017' });
      await server.core.services.prepare(signal);
      for (const name of ['b', 'c']) ports.add(nodePortsOf(await server.create(name, { type: 'NodePort' }))[0] ?? 0);
      assert.deepEqual(
        [...ports].toSorted((a, b) => a - b),
        [30_016, 30_017],
      );
    });
  });

  it('accepts an address that another server records meanwhile, and reports one of two Services', async () => {
    const server = start();
    await server.create('a', { clusterIP: '10.0.0.7' });
    const service = (await server.read('a')) as unknown as Service;
    const allocations = itemAllocations(store, '/registry', 'cluster-ips');
    const late = { ...allocations, list: () => Promise.resolve([]), take: () => Promise.resolve(undefined) };
    const shared: string[] = [];
    const repaired = (ownerOf: () => string) =>
      serviceRepair({
        collections: [{ allocations: late, what: 'addresses', ownerOf }],
        services: () => Promise.resolve([service]),
        onShared: (item) => shared.push(item),
        onRefused: (item) => assert.fail(`${item} was refused`),
      })(signal);
    await repaired(() => uidOf(service));
    assert.deepEqual(shared, []);
    await repaired(() => 'another');
    assert.deepEqual(shared, ['10.0.0.7']);
  });

  it('never gives an address or a port twice, however many servers race', async () => {
    const action = record({
      server: nat(2),
      name: constantFrom('a', 'b', 'c', 'd', 'e'),
      verb: constantFrom('create', 'node port', 'certain', 'to external', 'to node port', 'delete'),
    });
    const run = async (racing: Server[], { server, name, verb }: { server: number; name: string; verb: string }) => {
      const one = racing[server];
      if (!one) return;
      if (verb === 'create') await one.create(name);
      else if (verb === 'node port') await one.create(name, { type: 'NodePort' });
      else if (verb === 'certain') await one.create(name, { clusterIP: '10.9.0.3' });
      else if (verb === 'to external') await one.merge(name, { spec: { type: 'ExternalName', externalName: 'a.b' } });
      else if (verb === 'to node port') await one.merge(name, { spec: { type: 'NodePort', externalName: null } });
      else await one.delete(name);
    };
    await assertProperty(
      asyncProperty(array(action, { minLength: 4, maxLength: 24 }), async (actions) => {
        const shared = new MemoryStore();
        const options = { serviceClusterIpRange: '10.9.0.0/29', serviceNodePortRange: '30000-30003' };
        const racing = [0, 1, 2].map(() => new Server(shared, options));
        try {
          await Promise.all(actions.map((one) => run(racing, one).catch(onlyStatus)));
          const [first] = racing;
          assert(first);
          const { items } = await first.services.list(first.scope, { at: { kind: 'latest' }, limit: 0 });
          const services = items.map(parsed);
          const addresses = services.map(ipOf).filter((ip) => ip !== '');
          const ports = services.flatMap(nodePortsOf).filter((port) => port > 0);
          assert.equal(new Set(addresses).size, addresses.length);
          assert.equal(new Set(ports).size, ports.length);
          const recordedItems = (await itemAllocations(shared, '/registry', 'cluster-ips').list()).map(
            ({ item }) => item,
          );
          assert.deepEqual(recordedItems.toSorted(), addresses.toSorted());
        } finally {
          await Promise.all(racing.map(({ core }) => core.caches.close()));
          await shared.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});

function onlyStatus(error: unknown): void {
  assert(error instanceof StatusError, String(error));
}
