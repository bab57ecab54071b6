import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import { serveStore } from '../../src/storage/remote/store-server.ts';
import { startServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

const ingresses = '/apis/networking.cl.io/v1beta1/namespaces/default/ingresses';
const ingress = {
  apiVersion: 'networking.cl.io/v1beta1',
  kind: 'Ingress',
  metadata: { name: 'a' },
  spec: { backend: { serviceName: 's', servicePort: 80 } },
};

describe('the emulated release', () => {
  it('before a removal serves the version with a warning', async () => {
    await using server = await startServer({ emulatedRelease: '1.21' });
    const created = await request(server, 'POST', ingresses, ingress);
    assert.equal(created.status, 201);
    assert.equal(
      created.headers['warning'],
      '299 - "networking.cl.io/v1beta1 Ingress is deprecated in v1.19+, unavailable in v1.22+; use networking.cl.io/v1 Ingress"',
    );
    const containerResource = { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } };
    const scaleTargetRef = { kind: 'Deployment', name: 'd' };
    const spec = { scaleTargetRef, maxReplicas: 3, metrics: [{ type: 'ContainerResource', containerResource }] };
    const autoscalers = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
    const refused = await request(server, 'POST', autoscalers, { metadata: { name: 'a' }, spec });
    assert.match(refused.text, /only allowed when HPAContainerMetrics feature is enabled/);
    const services = '/api/v1/namespaces/default/services';
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
    assert.equal((await request(server, 'POST', services, service)).status, 201);
    const deleted = await request(server, 'DELETE', `${services}/a`);
    assert.equal((deleted.body as JsonObject)['kind'], 'Status', 'later releases return the Service');
    const version = await request(server, 'GET', '/version');
    assert.deepEqual(partsOf(version.body), ['1', '21']);
    assert.match(JSON.stringify(version.body), /"gitVersion":"v1\.21\.0\+/);
  });

  it('can be the newest, which shows its oldest compatible release', async () => {
    await using server = await startServer({ emulatedRelease: 'newest' });
    const { body } = await request(server, 'GET', '/version');
    assert.match(
      JSON.stringify(body),
      /^{"major":"1","minor":"36","emulationMajor":"1","emulationMinor":"36","minCompatibilityMajor":"1","minCompatibilityMinor":"35","gitVersion":"v1\.36\.0/,
    );
    const { text } = await request(server, 'GET', '/readyz?verbose');
    const hooks = ['start-apiserver-admission-initializer', 'apiservice-status-remote-available-controller'];
    for (const name of hooks) assert.ok(text.includes(`[+]poststarthook/${name} ok`), name);
    assert.doesNotMatch(text, /start-cluster-apiserver-admission-initializer|apiservice-status-available-controller/);
    const tracking = '/api/v1/namespaces/cl-system/configmaps/cl-apiserver-legacy-service-account-token-tracking';
    assert.match((await request(server, 'GET', tracking)).text, /"since":"\d{4}-\d\d-\d\d"/);
    const source = { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } };
    const metrics = [{ type: 'ContainerResource', containerResource: source }];
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const scaled = { scaleTargetRef, maxReplicas: 3, metrics };
    const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const scaler = await request(server, 'POST', autoscalers, { metadata: { name: 'a' }, spec: scaled });
    assert.match(scaler.text, /"containerResource":{"name":"cpu",.*"container":"c"}/);
    const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    const reviews = '/apis/authorization.cl.io/v1/selfsubjectaccessreviews';
    const { text: reviewed } = await request(server, 'POST', reviews, review);
    const { text: components } = await request(server, 'GET', '/api/v1/componentstatuses');
    for (const one of [reviewed, components]) assert.doesNotMatch(one, /creationTimestamp/);
  });

  it('with the tracking of legacy tokens becomes ready although a webhook for ConfigMaps is down', async () => {
    const memory = new MemoryStore();
    const served = await serveStore(memory, '127.0.0.1:0');
    const store = { kind: 'remote', endpoint: served.endpoint } as const;
    try {
      const earlier = await startServer({ store, emulatedRelease: '1.25' });
      const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
      const clientConfig = { url: 'https://127.0.0.1:1/' };
      const others = { sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 1 };
      const webhooks = [{ name: 'down.example.com', rules, clientConfig, ...others }];
      const configurations = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations';
      const created = await request(earlier, 'POST', configurations, { metadata: { name: 'down' }, webhooks });
      assert.equal(created.status, 201, created.text);
      await earlier.stop();
      await using server = await startServer({ store, emulatedRelease: '1.28' });
      await until('readiness', async () => (await request(server, 'GET', '/readyz')).status === 200);
    } finally {
      await served.close();
      await memory.close();
    }
  });

  for (const [emulatedRelease, plugin] of [
    ['1.30', 'SecurityContextDeny'],
    ['1.31', 'PersistentVolumeLabel'],
    ['1.32', 'PodTopologyLabels'],
  ] as const) {
    it(`${emulatedRelease} does not have the admission plugin ${plugin}`, async () => {
      const admissionPlugins = { enabled: [plugin], disabled: [] };
      await assert.rejects(startServer({ emulatedRelease, admissionPlugins }), new RegExp(`plugin ${plugin}: release`));
    });
  }

  it('copies zone and region of the node to pods since 1.35', async () => {
    await using server = await startServer({ emulatedRelease: '1.35' });
    const zone = { 'topology.cluster.io/zone': 'z' };
    const node = { metadata: { name: 'n', labels: { ...zone, other: 'o' } } };
    assert.equal((await request(server, 'POST', '/api/v1/nodes', node)).status, 201);
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await request(server, 'POST', pods, { metadata: { name: 'a', labels: { own: 'l' } }, spec });
    const target = { kind: 'Node', name: 'n' };
    const bound = await request(server, 'POST', `${pods}/a/binding`, { metadata: { name: 'a' }, target });
    assert.equal(bound.status, 201, bound.text);
    await request(server, 'POST', pods, { metadata: { name: 'b' }, spec: { ...spec, nodeName: 'n' } });
    const labels = async (name: string) => {
      const { metadata } = (await request(server, 'GET', `${pods}/${name}`)).body as { metadata: { labels?: object } };
      return metadata.labels;
    };
    assert.deepEqual([await labels('a'), await labels('b')], [{ own: 'l', ...zone }, zone]);
  });

  it('warns of the content of objects since 1.24', async () => {
    const volumes = [{ name: 'v', gitRepo: { repository: 'r' } }];
    const pod = { metadata: { name: 'a.b' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } };
    for (const [emulatedRelease, count] of [
      ['1.23', 0],
      ['1.24', 1],
      ['1.36', 2],
    ] as const) {
      await using server = await startServer({ emulatedRelease });
      const created = await request(server, 'POST', '/api/v1/namespaces/default/pods', pod);
      assert.equal(created.status, 201, created.text);
      const { warning = [] } = created.headers;
      const warnings =
        [warning]
          .flat()
          .join(', ')
          .match(/299 - "/g) ?? [];
      assert.equal(warnings.length, count, `${emulatedRelease}: ${String(warning)}`);
    }
  });

  it('can have a version of a later release that is named', async () => {
    const runtimeConfig = ['autoscaling/v2=true'];
    const options = { emulatedRelease: '1.22', runtimeConfig } as const;
    await assert.rejects(startServer(options), /it is introduced in 1\.23, and the emulated release is 1\.22/);
    await using server = await startServer({ ...options, runtimeConfigForwardCompatible: true });
    assert.equal((await request(server, 'GET', '/apis/autoscaling/v2/horizontalpodautoscalers')).status, 200);
    assert.equal((await request(server, 'GET', '/apis/batch/v1/cronjobs')).status, 200);
    assert.equal((await request(server, 'GET', '/apis/flowcontrol.cl.io/v1beta2/flowschemas')).status, 404);
  });

  it('before 1.22 lets an update through the group of events change any field', async () => {
    const events = '/apis/events.cl.io/v1/namespaces/default/events';
    const event = {
      metadata: { name: 'e' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'a/b',
      reportingInstance: 'i',
      action: 'A',
      reason: 'R',
      type: 'Normal',
      regarding: { namespace: 'default' },
      note: 'one',
    };
    const merge = { 'content-type': 'application/merge-patch+json' };
    for (const [emulatedRelease, expected] of [
      ['1.21', 200],
      ['1.22', 422],
    ] as const) {
      await using server = await startServer({ store: 'memory', emulatedRelease });
      const created = await request(server, 'POST', events, event);
      assert.equal(created.status, 201, created.text);
      const patch = async (change: object) => (await request(server, 'PATCH', `${events}/e`, change, merge)).status;
      for (const change of [{ note: 'two' }, { reason: 'X' }, { series: { count: 1 } }]) {
        assert.equal(await patch(change), expected, JSON.stringify(change));
      }
      assert.equal(await patch({ metadata: { finalizers: ['x'] } }), 422);
      const series = { count: 2, lastObservedTime: '2026-02-01T00:00:00.000000Z' };
      assert.equal(await patch({ series }), 200);
    }
  });

  it('before 1.22 publishes a kind without a schema, or one that keeps unknown fields, as any object', async () => {
    await using server = await startServer({ store: 'memory', emulatedRelease: '1.21' });
    const names = { plural: 'bolts', kind: 'Bolt' };
    const properties = { spec: { type: 'object', properties: { a: { type: 'string' } } } };
    const kinds = [
      { group: 'bare.example.com', names, version: 'v1', scope: 'Namespaced' },
      {
        group: 'kept.example.com',
        names,
        version: 'v1',
        scope: 'Namespaced',
        validation: { openAPIV3Schema: { type: 'object', properties } },
      },
    ];
    for (const spec of kinds) {
      const definition = { metadata: { name: `bolts.${spec.group}` }, spec };
      const created = await request(
        server,
        'POST',
        '/apis/apiextensions.cl.io/v1beta1/customresourcedefinitions',
        definition,
      );
      assert.equal(created.status, 201, created.text);
      const path = `/apis/${spec.group}/v1/bolts`;
      await until('the kind', async () => (await request(server, 'GET', path)).status === 200);
    }
    const { definitions } = (await request(server, 'GET', '/openapi/v2')).body as { definitions: JsonObject };
    for (const name of ['bare', 'kept']) {
      const { type, properties: fields } = definitions[`com.example.${name}.v1.Bolt`] as JsonObject;
      assert.deepEqual([type, fields], ['object', undefined], name);
    }
  });

  it('from 1.25 does not know the admission plugin PodSecurityPolicy', async () => {
    await assert.rejects(
      startServer({
        store: 'memory',
        emulatedRelease: '1.25',
        admissionPlugins: { enabled: ['PodSecurityPolicy'], disabled: [] },
      }),
      /unknown admission plugin PodSecurityPolicy/,
    );
  });

  it('by default is 1.23, which does not have it in discovery, OpenAPI or anywhere else', async () => {
    await using server = await startServer();
    assert.deepEqual(partsOf((await request(server, 'GET', '/version')).body), ['1', '23']);
    assert.equal((await request(server, 'POST', ingresses, ingress)).status, 404);
    assert.equal((await request(server, 'GET', '/apis/networking.cl.io/v1beta1')).status, 404);
    const { versions } = (await request(server, 'GET', '/apis/networking.cl.io')).body as { versions: unknown };
    assert.deepEqual(versions, [{ groupVersion: 'networking.cl.io/v1', version: 'v1' }]);
    const document = (await request(server, 'GET', '/openapi/v2')).text;
    assert.ok(document.includes('networking.v1.Ingress'));
    assert.ok(!document.includes('networking.v1beta1.Ingress'));
  });

  it('decides which default roles there are', async () => {
    const role = '/apis/rbac.authorization.cl.io/v1/clusterroles/system:aggregate-to-edit';
    const monitoring = '/apis/rbac.authorization.cl.io/v1/clusterroles/system:monitoring';
    for (const [options, endpoints, status] of [
      [{ emulatedRelease: '1.19' }, true, 404],
      [{ emulatedRelease: '1.19', emulationForwardCompatible: true }, false, 200],
      [{ emulatedRelease: '1.22' }, false, 200],
    ] as const) {
      await using server = await startServer({ ...options, authorizationMode: ['RBAC'], store: 'memory' });
      assert.equal((await request(server, 'GET', role)).text.includes('"endpoints"'), endpoints);
      assert.equal((await request(server, 'GET', monitoring)).status, status);
    }
  });

  it('shows later versions too if they are asked for', async () => {
    const autoscalers = '/apis/autoscaling/v2/horizontalpodautoscalers';
    await using server = await startServer({ emulatedRelease: '1.20' });
    assert.equal((await request(server, 'GET', autoscalers)).status, 404);
    await using later = await startServer({ emulatedRelease: '1.20', emulationForwardCompatible: true });
    assert.equal((await request(later, 'GET', autoscalers)).status, 200);
  });

  it('1.15 has the workloads that 1.16 removes, with their own defaults', async () => {
    await using server = await startServer({ emulatedRelease: '1.15' });
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const old = { metadata: { name: 'a' }, spec: { template, rollbackTo: { revision: 3 } } };
    const path = 'namespaces/default/deployments';
    const created = await request(server, 'POST', `/apis/extensions/v1beta1/${path}`, old);
    assert.equal(created.status, 201, created.text);
    assert.match(String(created.headers['warning']), /unavailable in v1\.16\+; use apps\/v1 Deployment/);
    const { metadata, spec } = (await request(server, 'GET', `/apis/apps/v1/${path}/a`)).body as {
      metadata: { annotations: object; labels: object };
      spec: { selector: object; revisionHistoryLimit: number; strategy: { rollingUpdate: object } };
    };
    assert.deepEqual(metadata.labels, { app: 'a' });
    assert.deepEqual(metadata.annotations, { 'deprecated.deployment.rollback.to': '3' });
    assert.deepEqual(spec.selector, { matchLabels: { app: 'a' } });
    assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 1, maxSurge: 1 });
    const read = (await request(server, 'GET', `/apis/extensions/v1beta1/${path}/a`)).body as {
      spec: { rollbackTo: object };
    };
    assert.deepEqual(read.spec.rollbackTo, { revision: 3 });
  });

  it('1.15 has the sub-resources of these workloads, with kinds of their own', async () => {
    await using server = await startServer({ emulatedRelease: '1.15' });
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const created = { metadata: { name: 'a' }, spec: { replicas: 2, template } };
    await request(server, 'POST', '/apis/extensions/v1beta1/namespaces/default/deployments', created);
    const serviceName = { serviceName: 's' };
    const set = { ...created, spec: { ...created.spec, ...serviceName } };
    await request(server, 'POST', '/apis/apps/v1beta1/namespaces/default/statefulsets', set);
    await request(server, 'POST', '/apis/extensions/v1beta1/namespaces/default/replicasets', created);
    for (const [version, resource] of [
      ['extensions/v1beta1', 'deployments'],
      ['apps/v1beta1', 'deployments'],
      ['apps/v1beta2', 'deployments'],
      ['extensions/v1beta1', 'replicasets'],
      ['apps/v1beta2', 'replicasets'],
      ['apps/v1beta1', 'statefulsets'],
      ['apps/v1beta2', 'statefulsets'],
    ] as const) {
      const path = `/apis/${version}/namespaces/default/${resource}/a/scale`;
      const scale = (await request(server, 'GET', path)).body as Record<string, Record<string, unknown>>;
      assert.equal(scale['kind'], 'Scale', path);
      assert.equal(scale['apiVersion'], version);
      assert.deepEqual(scale['status'], { replicas: 0, selector: { app: 'a' }, targetSelector: 'app=a' });
      const replicas = Number(scale['spec']?.['replicas']) + 1;
      const written = await request(server, 'PUT', path, { ...scale, spec: { replicas } });
      assert.deepEqual((written.body as Record<string, object>)['spec'], { replicas }, written.text);
      const parent = (await request(server, 'GET', path.replace('/scale', ''))).body as typeof scale;
      assert.equal(parent['spec']?.['replicas'], replicas);
    }
  });

  it('1.15 rolls Deployments back on request', async () => {
    await using server = await startServer({ emulatedRelease: '1.15' });
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const path = '/apis/extensions/v1beta1/namespaces/default/deployments';
    await request(server, 'POST', path, { metadata: { name: 'a' }, spec: { template } });
    const rollback = {
      kind: 'DeploymentRollback',
      name: 'a',
      updatedAnnotations: { why: 'slow' },
      rollbackTo: { revision: 2 },
    };
    const sent = { apiVersion: 'extensions/v1beta1', ...rollback };
    const { status, body } = await request(server, 'POST', `${path}/a/rollback`, sent);
    assert.deepEqual(
      [status, (body as { message: string }).message],
      [201, 'rollback request for deployment "a" succeeded'],
    );
    const deployment = (await request(server, 'GET', `${path}/a`)).body as {
      metadata: { annotations: object };
      spec: { rollbackTo: object };
    };
    assert.deepEqual(deployment.metadata.annotations, { why: 'slow' });
    assert.deepEqual(deployment.spec.rollbackTo, { revision: 2 });
    const other = await request(server, 'POST', `${path}/a/rollback`, { ...sent, name: 'b' });
    assert.equal(other.status, 400);
    const old = await request(server, 'POST', '/apis/apps/v1/namespaces/default/deployments/a/rollback', sent);
    assert.equal(old.status, 404);
    const ofBeta1 = '/apis/apps/v1beta1/namespaces/default/deployments/a/rollback';
    assert.equal((await request(server, 'POST', ofBeta1, { ...rollback, apiVersion: 'apps/v1beta1' })).status, 201);
  });

  it('serves evictions in the versions that it has', async () => {
    const evictionIn = async (emulatedRelease: '1.21' | '1.22') => {
      await using server = await startServer({ emulatedRelease });
      const { resources } = (await request(server, 'GET', '/api/v1')).body as {
        resources: { name: string; version?: string }[];
      };
      return resources.find(({ name }) => name === 'pods/eviction')?.version;
    };
    assert.deepEqual([await evictionIn('1.21'), await evictionIn('1.22')], ['v1beta1', 'v1']);
  });
});

function partsOf(version: unknown): unknown[] {
  const { major, minor } = version as Record<string, unknown>;
  return [major, minor];
}
