// Controllers and stand-in nodes in one process with their server, measured from inside. Arguments: what is measured, the address of an
// etcd, how many. Prints JSON.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, discoverAll } from '../../src/client/index.ts';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { builtInDefinitions } from '../../src/catalogue/definitions.ts';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { encodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';
import { minimalObject } from '../http/minimal-objects.ts';
import { eachOf } from './load/press.ts';

/** What one measurement took. */
export interface PlaneFigures {
  readonly elapsedMs: number;
  /** CPU of the process, server, controllers and nodes together, for one object. */
  readonly cpuMicros: number;
  readonly residentBytes?: number;
  readonly note?: string;
}

const identifiers = identifiersOf('cluster');
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };

/** The kinds of the objects in a namespace. */
const contentKinds: readonly string[] = [
  'configmaps',
  'endpoints',
  'limitranges',
  'persistentvolumeclaims',
  'podtemplates',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'serviceaccounts',
  'services',
  'controllerrevisions',
  'cronjobs',
  'jobs',
  'statefulsets',
  'horizontalpodautoscalers',
  'leases',
  'endpointslices',
  'networkpolicies',
  'poddisruptionbudgets',
  'roles',
];

/** The owners of the objects that the collector deletes. */
const owners = 100;

/** The time after which the first work of controllers is done, and that in which CPU is counted. */
const settleMs = 5_000;
const idleMs = 20_000;

const measured: Readonly<Record<string, (etcd: string, count: number) => Promise<PlaneFigures>>> = {
  start: (_, rounds) => measureStarts(rounds),
  namespace: measureNamespace,
  collection: measureCollection,
  pods: measurePods,
  nodes: (_, number) => measureNodes(number),
  leases: (_, number) => measureLeases(number),
  idle: (_, withControllers) => measureIdle(withControllers === 1),
};

const [what = '', etcd = '', count = '1'] = process.argv.slice(2);
const measure = measured[what];
if (!measure) throw new Error(`there is no measurement ${what}`);
console.log(JSON.stringify(await measure(etcd, Number(count))));

/** The median of several starts after a first one, which loads modules and compiles. */
async function measureStarts(rounds: number): Promise<PlaneFigures> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round <= rounds; round++) {
    const begin = performance.now();
    const server = await startServer({ controllers: true });
    times.push(performance.now() - begin);
    await server.stop();
  }
  const [first = Number.NaN, ...later] = times;
  const elapsedMs = later.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  return { elapsedMs, cpuMicros: cpuSince(before) / times.length, note: `the first took ${first.toFixed(0)} ms` };
}

/** The time from the deletion of a namespace with objects of 20 kinds until it is gone. */
async function measureNamespace(endpoint: string, objects: number): Promise<PlaneFigures> {
  return await withPlane({ ...storeOf(endpoint, `/plane-${randomUUID()}`), controllers: true }, async (client) => {
    const name = 'full';
    await client.resource(namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const { resources } = await discoverAll(client);
    const definitions = builtInDefinitions(identifiers);
    await eachOf(objects, 32, async (index) => {
      const plural = contentKinds[index % contentKinds.length];
      const reference = resources.find(({ resource }) => resource === plural);
      const definition = definitions.find(
        ({ group, resource }) => group === reference?.group && resource === reference.resource,
      );
      if (!reference || !definition) throw new Error(`${plural} are not served`);
      const object = minimalObject(definition, identifiers, `object-${index}`, reference.version);
      await client.resource(reference).create(object, { namespace: name });
    });
    return await timed(objects, async () => {
      await client.resource(namespaces).delete(name);
      await until(async () => {
        const { items } = await client.resource(namespaces).list();
        return !items.some(({ metadata }) => metadata?.name === name);
      });
    });
  });
}

/** The time from the deletion of the owners of many objects until these are gone. */
async function measureCollection(endpoint: string, objects: number): Promise<PlaneFigures> {
  const prefix = `/plane-${randomUUID()}`;
  await fillOwned(endpoint, prefix, objects);
  const options = { ...storeOf(endpoint, prefix), controllers: ['garbage-collector-controller'] };
  return await withPlane(options, async (client) => {
    const resource = client.resource(configMaps);
    await untilCollecting(client);
    return await timed(objects, async () => {
      await eachOf(owners, 10, (index) => resource.delete(`owner-${index}`, { namespace: 'default' }));
      await until(async () => (await resource.list({ namespace: 'default', limit: 1 })).items.length === 0);
    });
  });
}

/** Writes owners and their objects as a server would, but straight into the store. */
async function fillOwned(endpoint: string, prefix: string, objects: number): Promise<void> {
  const store = await openEtcdStore({ endpoints: [endpoint], prefix });
  const put = (object: JsonObject, name: string) =>
    store.create(`${prefix}/configmaps/default/${name}`, encodeStoredObject(object));
  const uids = Array.from({ length: owners }, () => randomUUID());
  await eachOf(owners, 10, (index) => put(storedMap(`owner-${index}`, uids[index] ?? ''), `owner-${index}`));
  await eachOf(objects, 32, async (index) => {
    const of = index % owners;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${of}`, uid: uids[of] ?? '' }];
    const object = storedMap(`owned-${index}`, randomUUID(), { ownerReferences });
    await put(object, `owned-${index}`);
  });
  await store.close();
}

function storedMap(name: string, uid: string, metadata: JsonObject = {}): JsonObject {
  return {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default', uid, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    data: { text: 'x'.repeat(470) },
  };
}

/** Resolves when the collector has seen all objects: it deletes one whose owner never existed. */
async function untilCollecting(client: Client): Promise<void> {
  const resource = client.resource({ group: '', version: 'v1', resource: 'secrets' });
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid: randomUUID() };
  const metadata = { name: 'probe', namespace: 'default', ownerReferences: [absent] };
  await resource.create({ apiVersion: 'v1', kind: 'Secret', metadata });
  await until(async () => (await resource.list({ namespace: 'default' })).items.length === 0);
}

/** The time until all pods of new Deployments are available. */
async function measurePods(endpoint: string, pods: number): Promise<PlaneFigures> {
  const options = { ...storeOf(endpoint, `/plane-${randomUUID()}`), controllers: true, nodes: 20 };
  return await withPlane(options, async (client) => {
    const resource = client.resource(deployments);
    const number = Math.min(100, pods);
    const replicas = Math.floor(pods / number);
    return await timed(number * replicas, async () => {
      await eachOf(number, 10, (index) => resource.create(newDeployment(`d${index}`, replicas)));
      await until(async () => {
        const { items } = await resource.list({ namespace: 'default' });
        const available = items.map(({ status }) => (status as { availableReplicas?: number }).availableReplicas ?? 0);
        return available.reduce((sum, each) => sum + each, 0) === number * replicas;
      });
    });
  });
}

/** Four pods for each stand-in node, in memory and without controllers, until all of them run. */
async function measureNodes(number: number): Promise<PlaneFigures> {
  return await withPlane({ nodes: number }, async (client) => {
    const resource = client.resource({ group: '', version: 'v1', resource: 'pods' });
    const pods = 4 * number;
    const figures = await timed(pods, async () => {
      const running = untilRunning(client, pods);
      await eachOf(pods, 16, (index) => resource.create(newPod(`p${index}`)));
      await running;
    });
    return { ...figures, residentBytes: process.memoryUsage.rss() };
  });
}

function newPod(name: string) {
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  const spec = { containers: [{ name: 'web', image: 'example.com/web:1', resources }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels: { app: 'web' } }, spec };
}

/** Resolves when a number of pods has been seen running. */
async function untilRunning(client: Client, pods: number): Promise<void> {
  const stop = new AbortController();
  const running = new Set<string>();
  const resource = client.resource({ group: '', version: 'v1', resource: 'pods' });
  for await (const { object } of resource.watch({ signal: stop.signal })) {
    const { phase } = (object['status'] ?? {}) as { phase?: string };
    if (phase === 'Running') running.add(object.metadata?.name ?? '');
    if (running.size === pods) return stop.abort();
  }
}

/** The CPU in one second of stand-in nodes that only renew their leases. */
async function measureLeases(number: number): Promise<PlaneFigures> {
  await using _ = await startServer({ logLevel: 'error', nodes: number });
  await sleep(settleMs);
  const before = process.cpuUsage();
  await sleep(idleMs);
  const cpuMicros = (1000 * cpuSince(before)) / idleMs;
  return { elapsedMs: idleMs, cpuMicros, residentBytes: process.memoryUsage.rss() };
}

/** The CPU in one second, and the memory, of a server on which nothing happens. */
async function measureIdle(controllers: boolean): Promise<PlaneFigures> {
  await using _ = await startServer({ logLevel: 'error', controllers });
  await sleep(settleMs);
  const before = process.cpuUsage();
  await sleep(idleMs);
  const cpuMicros = (1000 * cpuSince(before)) / idleMs;
  return { elapsedMs: idleMs, cpuMicros, residentBytes: process.memoryUsage.rss() };
}

function newDeployment(name: string, replicas: number) {
  const labels = { app: name };
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  const containers = [{ name: 'web', image: 'example.com/web:1', ports: [{ containerPort: 80 }], resources }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

function storeOf(endpoint: string, prefix: string) {
  return { store: { kind: 'etcd' as const, servers: [endpoint] }, prefix };
}

async function withPlane<Result>(
  options: TestServerOptions,
  work: (client: Client, server: TestServer) => Promise<Result>,
): Promise<Result> {
  await using server = await startServer({ logLevel: 'error', ...options });
  const client = createClient(server.connection);
  try {
    return await work(client, server);
  } finally {
    await client.close();
  }
}

async function timed(objects: number, work: () => Promise<void>): Promise<PlaneFigures> {
  const before = process.cpuUsage();
  const begin = performance.now();
  await work();
  return { elapsedMs: performance.now() - begin, cpuMicros: cpuSince(before) / objects };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}
