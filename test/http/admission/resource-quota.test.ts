import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { containerWith, createQuota, messageOf, quotaStatus, setUsed } from './quotas.ts';

const quotaOf = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

/** A write that a quota refuses, and the end of the message. */
interface Refusal {
  readonly title: string;
  readonly hard: JsonObject;
  readonly used?: JsonObject;
  readonly scopes?: JsonObject;
  readonly resource?: string;
  readonly spec: JsonObject;
  readonly message: string;
}

const gpu = 'example.com/gpu';
const ofClass = 'fast.storageclass.storage.cl.io';
const claim = (storage: string, storageClassName = 'fast'): JsonObject => ({
  storageClassName,
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
});
const ports = [
  { name: 'a', port: 1 },
  { name: 'b', port: 2 },
];

const refusals: readonly Refusal[] = [
  {
    title: 'more requests and limits than are left, of all containers together',
    hard: { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '5' },
    used: { 'requests.cpu': '600m', 'limits.memory': '0', pods: '1' },
    spec: containerWith({ requests: { cpu: '500m' }, limits: { memory: '2Gi' } }),
    message:
      'exceeded quota: q, requested: limits.memory=2Gi,requests.cpu=500m, used: limits.memory=0,requests.cpu=600m, ' +
      'limited: limits.memory=1Gi,requests.cpu=1',
  },
  {
    title: 'an init container that needs more than all others',
    hard: { cpu: '1' },
    spec: {
      initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '1500m' } } }],
      ...containerWith({ requests: { cpu: '1' } }),
    },
    message: 'exceeded quota: q, requested: cpu=1500m, used: cpu=0, limited: cpu=1',
  },
  {
    title: 'containers that do not state what is limited',
    hard: { 'requests.cpu': '1', 'limits.memory': '1Gi', 'requests.ephemeral-storage': '1' },
    spec: {
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i', resources: { requests: { cpu: '1' } } },
      ],
    },
    message: 'failed quota: q: must specify limits.memory,requests.cpu',
  },
  {
    title: 'extended resources',
    hard: { [`requests.${gpu}`]: '2' },
    spec: containerWith({ requests: { [gpu]: '3' }, limits: { [gpu]: '3' } }),
    message: `exceeded quota: q, requested: requests.${gpu}=3, used: requests.${gpu}=0, limited: requests.${gpu}=2`,
  },
  {
    title: 'huge pages',
    hard: { 'hugepages-2Mi': '4Mi' },
    spec: containerWith({
      requests: { 'hugepages-2Mi': '6Mi', cpu: '1', memory: '1Gi' },
      limits: { 'hugepages-2Mi': '6Mi', memory: '1Gi' },
    }),
    message: 'exceeded quota: q, requested: hugepages-2Mi=6Mi, used: hugepages-2Mi=0, limited: hugepages-2Mi=4Mi',
  },
  {
    title: 'Pods of best effort',
    hard: { pods: '0' },
    scopes: { scopes: ['BestEffort'] },
    spec: containerWith({}),
    message: 'exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    title: 'Pods that reach other namespaces',
    hard: { pods: '0' },
    scopes: { scopeSelector: { matchExpressions: [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }] } },
    spec: {
      ...containerWith({}),
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', namespaces: ['other'] }],
        },
      },
    },
    message: 'exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  },
  {
    title: 'node ports',
    hard: { 'services.nodeports': '1', services: '5' },
    resource: 'services',
    spec: { type: 'NodePort', ports },
    message:
      'exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
  },
  {
    title: 'load balancers, which have node ports as well',
    hard: { 'services.loadbalancers': '0', 'services.nodeports': '0' },
    resource: 'services',
    spec: { type: 'LoadBalancer', ports: [{ port: 1 }] },
    message:
      'exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=1, ' +
      'used: services.loadbalancers=0,services.nodeports=0, limited: services.loadbalancers=0,services.nodeports=0',
  },
  {
    title: 'storage, of a class',
    hard: { 'requests.storage': '10Gi', [`${ofClass}/requests.storage`]: '1Gi' },
    resource: 'persistentvolumeclaims',
    spec: claim('2.5Gi'),
    message:
      `exceeded quota: q, requested: ${ofClass}/requests.storage=2560Mi, ` +
      `used: ${ofClass}/requests.storage=0, limited: ${ofClass}/requests.storage=1Gi`,
  },
  {
    title: 'objects by number',
    hard: { 'count/configmaps': '3' },
    used: { 'count/configmaps': '3' },
    resource: 'configmaps',
    spec: {},
    message: 'exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=3, limited: count/configmaps=3',
  },
  {
    title: 'objects by number, under the older name',
    hard: { secrets: '0' },
    resource: 'secrets',
    spec: {},
    message: 'exceeded quota: q, requested: secrets=1, used: secrets=0, limited: secrets=0',
  },
];

/** Pods outside the scope of a quota that allows none. */
const outside: readonly (readonly [scope: string, spec: JsonObject])[] = [
  ['BestEffort', containerWith({ requests: { cpu: '1' } })],
  ['NotBestEffort', containerWith({})],
  ['Terminating', containerWith({})],
  ['NotTerminating', { ...containerWith({}), activeDeadlineSeconds: 5 }],
  ['PriorityClass', containerWith({})],
];

describe('resource quotas', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const create = (path: string, body: JsonObject): Promise<HttpResponse> => request(server, 'POST', path, body);
  const namespaceWith = async (
    name: string,
    hard: JsonObject,
    rest: JsonObject = {},
    used?: JsonObject,
  ): Promise<string> => {
    await create('/api/v1/namespaces', { metadata: { name } });
    await createQuota(server, name, { name: 'q', hard, rest, used });
    return quotaOf(name);
  };

  for (const [index, { title, hard, used, scopes, resource = 'pods', spec, message }] of refusals.entries()) {
    it(`refuse ${title}`, async () => {
      const path = await namespaceWith(`refused-${index}`, hard, scopes, used);
      const refused = await create(`${path}/${resource}`, { metadata: { name: 'x' }, spec });
      assert.equal(refused.status, 403, refused.text);
      assert.equal(messageOf(refused), `${resource} "x" is forbidden: ${message}`);
      const zeros = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
      assert.deepEqual((await quotaStatus(server, `refused-${index}`, 'q'))['used'], used ?? zeros);
    });
  }

  for (const [scope, spec] of outside) {
    it(`with the scope ${scope} do not count others`, async () => {
      const path = await namespaceWith(`outside-${scope.toLowerCase()}`, { pods: '0' }, { scopes: [scope] });
      const { status, text } = await create(`${path}/pods`, { metadata: { name: 'p' }, spec });
      assert.equal(status, 201, text);
    });
  }

  it('count new objects in their status, in the name of the server', async () => {
    const path = await namespaceWith('counted', { pods: '2', 'requests.cpu': '1', 'count/configmaps': '9' });
    const spec = containerWith({ requests: { cpu: '600m' } });
    const { status, text } = await create(`${path}/pods`, { metadata: { name: 'p' }, spec });
    assert.equal(status, 201, text);
    const { body } = await request(server, 'GET', `${path}/resourcequotas/q`);
    const quota = body as JsonObject;
    assert.deepEqual(objectAt(quota, 'status', 'used'), { pods: '1', 'requests.cpu': '600m', 'count/configmaps': '0' });
    assert.match(JSON.stringify(objectAt(quota, 'metadata')['managedFields']), /"manager":"cl-apiserver"/);
    await request(server, 'DELETE', `${path}/pods/p?gracePeriodSeconds=0`);
    assert.equal(objectAt(await quotaStatus(server, 'counted', 'q'), 'used')['pods'], '1');
  });

  it('count nothing for a dry run, which they refuse all the same', async () => {
    const path = await namespaceWith('dry', { 'count/configmaps': '1' });
    for (let round = 0; round < 2; round++) {
      const { status } = await create(`${path}/configmaps?dryRun=All`, { metadata: { name: 'c' } });
      assert.equal(status, 201);
    }
    assert.deepEqual((await quotaStatus(server, 'dry', 'q'))['used'], { 'count/configmaps': '0' });
    assert.equal((await create(`${path}/configmaps`, { metadata: { name: 'c' } })).status, 201);
    assert.equal((await create(`${path}/configmaps?dryRun=All`, { metadata: { name: 'd' } })).status, 403);
  });

  it('charge all or none of several', async () => {
    const path = await namespaceWith('several', { 'count/configmaps': '5' });
    await createQuota(server, 'several', { name: 'r', hard: { 'count/configmaps': '1' } });
    const responses = [];
    for (const name of ['a', 'b']) responses.push(await create(`${path}/configmaps`, { metadata: { name } }));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 403],
    );
    for (const name of ['q', 'r']) {
      assert.deepEqual((await quotaStatus(server, 'several', name))['used'], { 'count/configmaps': '1' });
    }
  });

  it('wait for the count of a controller', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'new' } });
    const path = quotaOf('new');
    const spec: JsonObject = { hard: { pods: '0' } };
    await create(`${path}/resourcequotas`, { metadata: { name: 'q' }, spec });
    const pod = { metadata: { name: 'p' }, spec: containerWith({}) };
    assert.equal((await create(`${path}/pods?dryRun=All`, pod)).status, 201);
    await setUsed(server, 'new', 'q', { hard: { pods: '0' } });
    const refused = await create(`${path}/pods`, pod);
    assert.equal(messageOf(refused), 'pods "p" is forbidden: status unknown for quota: q, resources: pods');
  });

  it('count what an update adds, and refuse no update that lowers the use', async () => {
    const path = await namespaceWith('updated', { 'services.nodeports': '2', services: '1' });
    await create(`${path}/services`, { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [ports[0] ?? {}] } });
    const change = (spec: JsonObject): Promise<HttpResponse> =>
      request(server, 'PATCH', `${path}/services/s`, { spec }, { 'content-type': 'application/merge-patch+json' });
    assert.equal((await change({ ports })).status, 200);
    assert.equal(objectAt(await quotaStatus(server, 'updated', 'q'), 'used')['services.nodeports'], '2');
    const refused = await change({ ports: [...ports, { name: 'c', port: 3 }] });
    const used = 'used: services.nodeports=2, limited: services.nodeports=2';
    assert.equal(
      messageOf(refused),
      `services "s" is forbidden: exceeded quota: q, requested: services.nodeports=1, ${used}`,
    );
    await setUsed(server, 'updated', 'q', { hard: { 'services.nodeports': '0', services: '0' } });
    assert.equal((await change({ ports: ports.slice(1) })).status, 200);
  });

  it('are charged once for each of many parallel creates, and never exceeded', async () => {
    const path = await namespaceWith('busy', { 'count/configmaps': '40' });
    await createQuota(server, 'busy', { name: 'r', hard: { configmaps: '50' } });
    const names = Array.from({ length: 64 }, (_, index) => `c${index}`);
    const responses = await Promise.all(names.map((name) => create(`${path}/configmaps`, { metadata: { name } })));
    const made = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status === 403);
    assert.deepEqual([made.length, refused.length], [40, 24]);
    assert.deepEqual((await quotaStatus(server, 'busy', 'q'))['used'], { 'count/configmaps': '40' });
    assert.deepEqual((await quotaStatus(server, 'busy', 'r'))['used'], { configmaps: '40' });
    assert.match(
      messageOf(refused[0]),
      /exceeded quota: q, requested: count\/configmaps=1, used: count\/configmaps=40/,
    );
  });
});

describe('the configuration of resource quotas', () => {
  const gold: JsonObject = { scopeName: 'PriorityClass', operator: 'In', values: ['gold'] };
  const limitedResources: readonly JsonObject[] = [
    { resource: 'pods', matchScopes: [gold] },
    { resource: 'persistentvolumeclaims', matchContains: [`${ofClass}/requests.storage`] },
  ];
  const start = (configuration: JsonObject): Promise<TestServer> =>
    startServer({ store: 'memory', admissionConfigurations: { ResourceQuota: configuration } });

  for (const [apiVersion, kind] of [
    ['apiserver.config.cl.io/v1', 'ResourceQuotaConfiguration'],
    ['resourcequota.admission.cl.io/v1beta1', 'Configuration'],
    ['resourcequota.admission.cl.io/v1alpha1', 'Configuration'],
  ] as const) {
    it(`names what needs a quota, in ${apiVersion}`, async () => {
      await using server = await start({ apiVersion, kind, limitedResources: [...limitedResources] });
      const post = (path: string, body: JsonObject): Promise<HttpResponse> => request(server, 'POST', path, body);
      await post('/apis/scheduling.cl.io/v1/priorityclasses', { metadata: { name: 'gold' }, value: 1 });
      await post('/api/v1/namespaces', { metadata: { name: 'n' } });
      const pod = { metadata: { name: 'p' }, spec: { priorityClassName: 'gold', ...containerWith({}) } };
      const refused = await post('/api/v1/namespaces/n/pods', pod);
      assert.equal(refused.status, 500);
      assert.equal(messageOf(refused), 'insufficient quota to match these scopes: [{PriorityClass In [gold]}]');
      const other = { ...pod, spec: containerWith({}) };
      assert.equal((await post('/api/v1/namespaces/n/pods', other)).status, 201);
      const claims = '/api/v1/namespaces/n/persistentvolumeclaims';
      assert.equal(
        messageOf(await post(claims, { metadata: { name: 'c' }, spec: claim('1Gi') })),
        `persistentvolumeclaims "c" is forbidden: insufficient quota to consume: ${ofClass}/requests.storage`,
      );
      assert.equal((await post(claims, { metadata: { name: 'c' }, spec: claim('1Gi', 'slow') })).status, 201);
      const rest = { scopeSelector: { matchExpressions: [gold] } };
      await createQuota(server, 'n', { name: 'q', hard: { pods: '1' }, rest });
      const covered = await post('/api/v1/namespaces/n/pods', { ...pod, metadata: { name: 'covered' } });
      assert.equal(covered.status, 201, covered.text);
      const second = await post('/api/v1/namespaces/n/pods', { ...pod, metadata: { name: 'second' } });
      assert.match(
        messageOf(second),
        /^pods "second" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1/,
      );
    });
  }

  const faults: readonly (readonly [configuration: JsonObject, message: RegExp])[] = [
    [
      { apiVersion: 'v1', kind: 'ConfigMap' },
      /ResourceQuota: apiVersion: v1, kind: ConfigMap: expected one of apiserver/,
    ],
    [
      { apiVersion: 'apiserver.config.cl.io/v1', kind: 'ResourceQuotaConfiguration', limitedResources: [{}] },
      /ResourceQuota: limitedResources\[0\]\.resource: Required value/,
    ],
  ];
  for (const [configuration, message] of faults) {
    it(`is refused at the start: ${message.source}`, () => assert.rejects(start(configuration), message));
  }
});
