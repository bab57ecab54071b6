import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, definitions, widgetsIn } from '../custom-resources/widgets.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { type AggregatedWorld, apiServices, startAggregatedWorld } from './aggregated-world.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const label = 'cl-aggregator.cluster.io/automanaged';

const bodyOf = async (server: TestServer, path: string): Promise<JsonObject> =>
  (await request(server, 'GET', path)).body as JsonObject;

const versionsOf = async (server: TestServer, group: string): Promise<readonly string[]> => {
  const found = objectsAt(await bodyOf(server, '/apis'), 'groups').find(({ name }) => name === group);
  return objectsAt(found ?? {}, 'versions').map((one) => stringAt(one, 'version'));
};

describe('a local APIService', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  it('exists for every built-in version from the start', async () => {
    const items = objectsAt(await bodyOf(server, apiServices), 'items');
    const named = new Map(items.map((one) => [stringAt(objectAt(one, 'metadata'), 'name'), one]));
    const apps = named.get('v1.apps') ?? assert.fail();
    assert.deepEqual(apps['spec'], { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 });
    assert.deepEqual(objectAt(apps, 'metadata')['labels'], { [label]: 'onstart' });
    assert.equal(objectsAt(objectAt(apps, 'status'), 'conditions')[0]?.['reason'], 'Local');
    const core = named.get('v1.') ?? assert.fail();
    assert.deepEqual(core['spec'], { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 });
    const listed = objectsAt(await bodyOf(server, '/apis'), 'groups').flatMap((one) =>
      objectsAt(one, 'versions').map((entry) => `${stringAt(entry, 'version')}.${stringAt(one, 'name')}`),
    );
    const own = /\.apiregistration\.cl\.io$/;
    assert.deepEqual([...named.keys()].toSorted(), ['v1.', ...listed.filter((name) => !own.test(name))].toSorted());
  });

  it('takes its version out of discovery when it is deleted, but the version stays served', async () => {
    assert.deepEqual(await versionsOf(server, 'scheduling.cl.io'), ['v1']);
    assert.equal((await request(server, 'DELETE', `${apiServices}/v1.scheduling.cl.io`)).status, 200);
    await until('the group to go', async () => (await versionsOf(server, 'scheduling.cl.io')).length === 0);
    assert.equal((await request(server, 'GET', '/apis/scheduling.cl.io/v1/priorityclasses')).status, 200);
    assert.equal((await request(server, 'GET', '/apis/scheduling.cl.io')).status, 200);
  });

  it('moves its group by its priority', async () => {
    const patch = { spec: { groupPriorityMinimum: 19_999 } };
    assert.equal((await request(server, 'PATCH', `${apiServices}/v1.batch`, patch, mergePatch)).status, 200);
    await until('the group to move', async () => {
      const [, second] = objectsAt(await bodyOf(server, '/apis'), 'groups');
      return second?.['name'] === 'batch';
    });
  });

  it('of a custom resource comes and goes with it, and is kept as it is', async () => {
    const group = 'kept.example.com';
    const path = `${apiServices}/v1.${group}`;
    const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 };
    await define(server, widgetsIn(group));
    const isKept = async () => {
      const found = await bodyOf(server, path);
      return JSON.stringify(found['spec']) === JSON.stringify(spec);
    };
    await until('the APIService', isKept);
    assert.deepEqual(objectAt(await bodyOf(server, path), 'metadata')['labels'], { [label]: 'true' });
    await request(server, 'DELETE', path);
    await until('the APIService again', isKept);
    await request(server, 'PATCH', path, { spec: { versionPriority: 7 } }, mergePatch);
    await until('its priority again', isKept);
    const unmanaged = { metadata: { labels: { [label]: null } }, spec: { versionPriority: 7 } };
    await request(server, 'PATCH', path, unmanaged, mergePatch);
    const other = 'gone.example.com';
    await define(server, widgetsIn(other));
    await until('the other APIService', async () => {
      return (await request(server, 'GET', `${apiServices}/v1.${other}`)).status === 200;
    });
    assert.equal(objectAt(await bodyOf(server, path), 'spec')['versionPriority'], 7, 'an unmanaged one is left alone');
    await request(server, 'DELETE', `${definitions}/widgets.${other}`);
    await until('the end of the other APIService', async () => {
      return (await request(server, 'GET', `${apiServices}/v1.${other}`)).status === 404;
    });
  });
});

describe('a remote APIService', () => {
  let world: AggregatedWorld;
  before(async () => {
    world = await startAggregatedWorld({ serviceResolver: 'endpoints' });
  });
  after(() => world[Symbol.asyncDispose]());

  const core = '/api/v1/namespaces/default';
  const post = async (path: string, body: object): Promise<void> => {
    const { status, text } = await request(world.server, 'POST', path, body);
    assert.equal(status, 201, text);
  };
  const until503 = async (group: string, reason: string): Promise<string> => {
    await until(`${group}: ${reason}`, async () => (await world.conditionOf(group))?.['reason'] === reason);
    for (const path of [`/apis/${group}/v1`, `/apis/${group}/v1/things`, `/apis/${group}/v1/a/b/c/d`]) {
      const { status, text } = await request(world.server, 'GET', path);
      assert.deepEqual([status, text], [503, 'service unavailable\n']);
    }
    return stringAt((await world.conditionOf(group)) ?? {}, 'message');
  };
  const serviceOf = (name: string, port = 443) => ({ service: { namespace: 'default', name, port } });

  it('says why its Service leads nowhere', async () => {
    const group = 'stepwise.example.com';
    await world.create(group, serviceOf('steps'));
    assert.equal(await until503(group, 'ServiceNotFound'), 'service/steps in "default" is not present');
    await post(`${core}/services`, { metadata: { name: 'steps' }, spec: { ports: [{ name: 'web', port: 80 }] } });
    const port = await until503(group, 'ServicePortError');
    assert.equal(port, 'service/steps in "default" is not listening on port 443');
    const ports = { spec: { ports: [{ name: 'https', port: 443 }] } };
    await request(world.server, 'PATCH', `${core}/services/steps`, ports, mergePatch);
    const endpoints = await until503(group, 'EndpointsNotFound');
    assert.equal(endpoints, 'cannot find endpoints for service/steps in "default"');
    await post(`${core}/endpoints`, { metadata: { name: 'steps' } });
    const missing = await until503(group, 'MissingEndpoints');
    assert.equal(missing, 'endpoints for service/steps in "default" have no addresses with port name "https"');
    const extern = 'extern.example.com';
    await world.create(extern, serviceOf('backend'));
    assert.equal(await until503(extern, 'FailedDiscoveryCheck'), 'unsupported service type "ExternalName"');
  });

  it('becomes available with its Endpoints, and unavailable when its server fails', async function reached() {
    const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    const own = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
    if (!own) this.skip();
    await using other = await startAggregatedWorld({ serviceResolver: 'endpoints', host: '0.0.0.0' });
    const group = 'reached.example.com';
    const metric = async (series: string) => (await readMetrics(other.server)).get(series);
    const at = (name: string) => `${core}/${name}`;
    const ports = [{ name: 'https', port: other.backendPort }];
    const service = { metadata: { name: 'reached' }, spec: { ports: [{ name: 'https', port: 443 }] } };
    await request(other.server, 'POST', at('services'), service);
    const subsets = [{ addresses: [{ ip: own.address }], ports }];
    await request(other.server, 'POST', at('endpoints'), { metadata: { name: 'reached' }, subsets });
    await other.serve(group, { ...serviceOf('reached'), insecureSkipTLSVerify: true });
    assert.deepEqual(await other.conditionOf(group), {
      type: 'Available',
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    });
    assert.equal((await request(other.server, 'GET', `/apis/${group}/v1/things`)).status, 200);
    assert.equal(await metric(`aggregator_unavailable_apiservice{name="v1.${group}"}`), 0);

    other.at(`/apis/${group}/v1`, (_, response) => response.writeHead(404).end());
    await request(other.server, 'PATCH', at('endpoints/reached'), { metadata: { labels: { a: 'b' } } }, mergePatch);
    await until('the failure', async () => (await other.conditionOf(group))?.['reason'] === 'FailedDiscoveryCheck');
    const url = `https://${own.address}:${other.backendPort}/apis/${group}/v1`;
    const message = `failing or missing response from ${url}: bad status from ${url}: 404`;
    assert.equal((await other.conditionOf(group))?.['message'], message);
    assert.equal(await metric(`aggregator_unavailable_apiservice{name="v1.${group}"}`), 1);
    const counted = `{name="v1.${group}",reason="FailedDiscoveryCheck"}`;
    assert.equal(await metric(`aggregator_unavailable_apiservice_total${counted}`), 1);
    other.at(`/apis/${group}/v1`, (_, response) => response.end('{}'));
    await until('the recovery', async () => (await other.conditionOf(group))?.['status'] === 'True');

    const local = { spec: { service: null, insecureSkipTLSVerify: null } };
    await request(other.server, 'PATCH', `${apiServices}/v1.${group}`, local, mergePatch);
    await until('the local condition', async () => (await other.conditionOf(group))?.['reason'] === 'Local');
  });

  it('with a certificate of another authority, or of another name, is not available', async () => {
    await using other = await startAggregatedWorld();
    await other.create('untrusted.example.com', { caBundle: world.caBundle });
    await until('the refusal', async () => (await other.conditionOf('untrusted.example.com'))?.['status'] === 'False');
    const message = stringAt((await other.conditionOf('untrusted.example.com')) ?? {}, 'message');
    assert.match(message, /^failing or missing response from https:.*: Get "https:.*": x509: certificate signed/);
  });

  it('takes its place in discovery by its priorities', async () => {
    await using other = await startAggregatedWorld();
    await other.serve('last.example.com', { groupPriorityMinimum: 5 });
    await other.serve('first.example.com', { groupPriorityMinimum: 19_000 });
    const groups = objectsAt(await bodyOf(other.server, '/apis'), 'groups').map(({ name }) => name);
    assert.equal(groups[1], 'first.example.com');
    assert.equal(groups.at(-1), 'last.example.com');
    const group = await bodyOf(other.server, '/apis/first.example.com');
    assert.deepEqual(group, {
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'first.example.com',
      versions: [{ groupVersion: 'first.example.com/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'first.example.com/v1', version: 'v1' },
    });
    const mixed = 'mixed.example.com';
    await define(other.server, widgetsIn(mixed));
    const remote = { metadata: { name: `v2.${mixed}` }, spec: { group: mixed, version: 'v2' } };
    const place = { groupPriorityMinimum: 1, versionPriority: 200, insecureSkipTLSVerify: true };
    const service = { namespace: 'default', name: 'backend', port: other.backendPort };
    const created = await request(other.server, 'POST', apiServices, {
      ...remote,
      spec: { ...remote.spec, ...place, service },
    });
    assert.equal(created.status, 201, created.text);
    await until('both versions', async () => (await versionsOf(other.server, mixed)).join() === 'v2,v1');
    await request(other.server, 'DELETE', `${apiServices}/v2.${mixed}`);
    await until('the local version alone', async () => (await versionsOf(other.server, mixed)).join() === 'v1');
    assert.equal((await request(other.server, 'GET', `/apis/${mixed}/v2/things`)).status, 404);
  });

  it('shows its resources in aggregated discovery, also while it is not available', async () => {
    await using other = await startAggregatedWorld();
    const group = 'shown.example.com';
    const list = {
      kind: 'APIResourceList',
      resources: [
        {
          name: 'things',
          singularName: 'thing',
          namespaced: true,
          kind: 'Thing',
          verbs: ['list', 'get'],
          shortNames: ['th'],
        },
        { name: 'things/scale', namespaced: true, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
        { name: 'lone/status', namespaced: false, kind: 'Lone', verbs: ['get'] },
      ],
    };
    other.at(`/apis/${group}/v1`, (_, response) => response.end(JSON.stringify(list)));
    await other.serve(group);
    const accept = 'application/json;g=apidiscovery.cl.io;v=v2;as=APIGroupDiscoveryList';
    const shown = async (): Promise<JsonObject> => {
      const { body } = await request(other.server, 'GET', '/apis', undefined, { accept });
      const found = objectsAt(body as JsonObject, 'items').find((one) => objectAt(one, 'metadata')['name'] === group);
      return objectsAt(found ?? {}, 'versions')[0] ?? {};
    };
    const kind = { group, version: 'v1' };
    const resources = [
      {
        resource: 'things',
        responseKind: { ...kind, kind: 'Thing' },
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['get', 'list'],
        shortNames: ['th'],
        subresources: [
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get'],
          },
        ],
      },
      {
        resource: 'lone',
        responseKind: {},
        scope: 'Cluster',
        verbs: [],
        subresources: [{ subresource: 'status', responseKind: { ...kind, kind: 'Lone' }, verbs: ['get'] }],
      },
    ];
    assert.deepEqual(await shown(), { version: 'v1', resources, freshness: 'Current' });
    other.at(`/apis/${group}/v1`, (_, response) => response.writeHead(500).end());
    await request(
      other.server,
      'PATCH',
      '/api/v1/namespaces/default/services/backend',
      { metadata: { labels: { a: 'b' } } },
      mergePatch,
    );
    await until('the resources to be stale', async () => (await shown())['freshness'] === 'Stale');
    assert.deepEqual((await shown())['resources'], resources);
  });

  it('can take over a built-in version, until the server starts again', async () => {
    await using other = await startAggregatedWorld();
    const service = { namespace: 'default', name: 'backend', port: other.backendPort };
    const patch = { spec: { service, caBundle: other.caBundle } };
    const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';
    await request(other.server, 'PATCH', `${apiServices}/v1.coordination.cl.io`, patch, mergePatch);
    await until('the other server to answer', async () => {
      const { body } = await request(other.server, 'GET', leases);
      return (body as JsonObject)['url'] === leases;
    });
  });
});
