import assert from 'node:assert/strict';
import { type Fixture, startFixture } from '../../unit/http/fixture.ts';

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = (spec: object): object => ({ spec: { selector: { matchLabels: labels }, template, ...spec } });
const pod = (part: object): object => ({ spec: { containers: [{ name: 'c', image: 'i', ...part }] } });
const variable = (valueFrom: object): object => pod({ env: [{ name: 'A', valueFrom }] });
const volume = (source: object): object => ({
  spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...source }] },
});
const service = (spec: object): object => ({ spec: { ports: [{ port: 80 }], ...spec } });

const report = {
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'a',
  reportingInstance: 'b',
  action: 'c',
  reason: 'd',
  type: 'Normal',
  regarding: { namespace: 'elsewhere' },
};

type RefusalRow = readonly [what: string, kind: string, object: object, causes: readonly string[]];

/** One mistake each, and the causes by which clients know it: a field and a reason. */
const rows: readonly RefusalRow[] = [
  [
    'a deployment without selector',
    'apps/v1 deployments Deployment',
    workload({ selector: null }),
    ['spec.selector Required', 'spec.template.metadata.labels Invalid'],
  ],
  [
    'a selector that cannot be read',
    'apps/v1 deployments Deployment',
    workload({ selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } }),
    ['spec.selector.matchExpressions[0].operator Invalid', 'spec.selector Invalid'],
  ],
  [
    'a deployment that rolls out in no known way',
    'apps/v1 deployments Deployment',
    workload({ strategy: { type: 'X' } }),
    ['spec.strategy NotSupported'],
  ],
  [
    'a daemon set without selector',
    'apps/v1 daemonsets DaemonSet',
    workload({ selector: null }),
    ['spec.template.metadata.labels Invalid'],
  ],
  [
    'a daemon set that rolls out in no known way',
    'apps/v1 daemonsets DaemonSet',
    workload({ updateStrategy: { type: 'X' } }),
    ['spec.updateStrategy NotSupported'],
  ],
  [
    'a stateful set that rolls out in no known way',
    'apps/v1 statefulsets StatefulSet',
    workload({ updateStrategy: { type: 'X' }, podManagementPolicy: 'Y' }),
    ['spec.podManagementPolicy Invalid', 'spec.updateStrategy Invalid'],
  ],
  [
    'a job that chooses its selector and has none',
    'batch/v1 jobs Job',
    { spec: { manualSelector: true, template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    ['spec.selector Required', 'spec.template.metadata.labels Invalid'],
  ],
  [
    'a service with an unknown policy',
    'v1 services Service',
    service({ type: 'NodePort', externalTrafficPolicy: 'X' }),
    ['spec.externalTrafficPolicy Invalid'],
  ],
  [
    'a service whose ranges are addresses',
    'v1 services Service',
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.1.2.3'] }),
    ['spec.LoadBalancerSourceRanges Invalid'],
  ],
  [
    'a service with one family twice',
    'v1 services Service',
    service({ ipFamilies: ['IPv4', 'IPv4'] }),
    ['spec.ipFamilies[1] Duplicate'],
  ],
  [
    'a namespace with a finalizer of nobody',
    'v1 namespaces Namespace',
    { spec: { finalizers: ['mine'] } },
    ['spec.finalizers Invalid'],
  ],
  ['a runtime class without handler', 'node.k8s.io/v1 runtimeclasses RuntimeClass', {}, ['handler Invalid']],
  [
    'a CSI driver with a name that is none',
    'storage.k8s.io/v1 csidrivers CSIDriver',
    { metadata: { name: 'A_' } },
    ['metadata.name Invalid'],
  ],
  [
    'an endpoint slice of unknown addresses',
    'discovery.k8s.io/v1 endpointslices EndpointSlice',
    { addressType: 'X', endpoints: [{ addresses: [] }] },
    ['addressType NotSupported', 'endpoints[0].addresses Required'],
  ],
  [
    'a scope that is asked for in no known way',
    'v1 resourcequotas ResourceQuota',
    {
      spec: {
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'X' }] },
      },
    },
    ['spec.scopeSelector.matchExpressions.operator Invalid'],
  ],
  [
    'a field in a version that is none',
    'v1 pods Pod',
    variable({ fieldRef: { apiVersion: 'v9', fieldPath: 'metadata.name' } }),
    ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath Invalid'],
  ],
  [
    'a part of a field that has none',
    'v1 pods Pod',
    variable({ fieldRef: { fieldPath: "metadata.name['x']" } }),
    ['spec.containers[0].env[0].valueFrom.fieldRef.fieldPath Invalid'],
  ],
  [
    'a divisor that is no unit',
    'v1 pods Pod',
    variable({ resourceFieldRef: { resource: 'limits.memory', divisor: '3' } }),
    ['spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor Invalid'],
  ],
  [
    'a disk of no known kind, before its address',
    'v1 pods Pod',
    volume({ azureDisk: { diskName: 'd', diskURI: 'x', kind: 'z' } }),
    ['spec.volumes[0].azureDisk.kind NotSupported', 'spec.volumes[0].azureDisk.diskURI NotSupported'],
  ],
  [
    'a repository that is missing, before its directory',
    'v1 pods Pod',
    volume({ gitRepo: { directory: '/a' } }),
    ['spec.volumes[0].gitRepo.repository Required', 'spec.volumes[0].gitRepo.directory Invalid'],
  ],
  [
    'an event of the newer form that says nothing',
    'events.k8s.io/v1 events Event',
    { regarding: { namespace: 'default' } },
    ['eventTime Required', 'type Invalid'],
  ],
  [
    'an event of the newer form with fields of the older',
    'events.k8s.io/v1 events Event',
    {
      ...report,
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedCount: 2,
      deprecatedSource: { component: 'a' },
      series: { count: 1 },
    },
    [
      'series.count Invalid',
      'series.lastObservedTime Required',
      'firstTimestamp Invalid',
      'count Invalid',
      'source Invalid',
    ],
  ],
  [
    'a limit of nothing',
    'v1 limitranges LimitRange',
    { spec: { limits: [{ max: { cpu: '1' } }] } },
    ['spec.limits[0].type Invalid', 'spec.limits[0].type Invalid'],
  ],
  [
    'an event of the newer form with a finalizer without a domain',
    'events.k8s.io/v1 events Event',
    { metadata: { name: 'x', finalizers: ['x'] }, ...report },
    ['metadata.finalizers[0] Invalid'],
  ],
  [
    'finalizers, their forms first',
    'v1 configmaps ConfigMap',
    { metadata: { name: 'x', finalizers: ['mine', 'a b/c'] } },
    ['metadata.finalizers Invalid', 'metadata.finalizers[0] Invalid'],
  ],
  [
    'a role with a base of names that is none itself',
    'rbac.authorization.k8s.io/v1 roles Role',
    { metadata: { generateName: '.' } },
    ['metadata.generateName Invalid'],
  ],
  [
    'an event of the newer form with a base of names that is none',
    'events.k8s.io/v1 events Event',
    { metadata: { name: 'x', generateName: "a'b" }, ...report },
    ['metadata.generateName Invalid'],
  ],
  [
    'a label before a resourceVersion',
    'v1 configmaps ConfigMap',
    { metadata: { name: 'x', resourceVersion: '5', labels: { 'a b': '' } } },
    ['metadata.labels Invalid'],
  ],
  [
    'a generation below nothing',
    'v1 configmaps ConfigMap',
    { metadata: { name: 'x', generation: -1 } },
    ['metadata.generation Invalid'],
  ],
];

const later: readonly [what: string, patch: object, causes: readonly string[]][] = [
  ['the series', { series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }, []],
  ['a series that is none', { series: { count: 1 } }, ['series.count Invalid']],
  ['what was reported', { note: 'n', reportingController: 'z' }, ['message Invalid', 'reportingController Invalid']],
];

const clusterScoped = new Set(['namespaces', 'runtimeclasses', 'csidrivers']);

describe('refusals tell', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const create = async (kindOf: string, object: object) => {
    const [apiVersion = '', resource = '', kind = ''] = kindOf.split(' ');
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const path = clusterScoped.has(resource) ? `${base}/${resource}` : `${base}/namespaces/default/${resource}`;
    const body = { apiVersion, kind, metadata: { name: 'x' }, ...object };
    return fixture.send({ method: 'POST', path: `${path}?dryRun=All`, body });
  };

  for (const [what, kindOf, object, expected] of rows) {
    it(`${what}: ${expected.join(', ')}`, async () => {
      const answer = await create(kindOf, object);
      assert.equal(answer.status, 422, answer.text);
      const causes = answer.at('details.causes') as { field: string; reason: string }[];
      const found = causes.map(({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`);
      assert.deepEqual(found, expected);
    });
  }

  it('an event of either group by the name of the first', async () => {
    for (const apiVersion of ['v1', 'events.k8s.io/v1beta1']) {
      const answer = await create(`${apiVersion} events Event`, { metadata: { name: 'x', labels: { 'a b': '' } } });
      assert.equal(answer.at('details.kind'), 'Event', answer.text);
      assert.equal(answer.at('details.group'), undefined);
    }
  });

  it('what an event of the newer form may not change', async () => {
    const path = '/apis/events.k8s.io/v1/namespaces/default/events';
    const body = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e' }, ...report };
    assert.equal((await fixture.send({ method: 'POST', path, body })).status, 201);
    const type = 'application/merge-patch+json';
    for (const [what, patch, expected] of later) {
      const answer = await fixture.send({ method: 'PATCH', path: `${path}/e`, body: patch, type });
      const causes = (answer.at('details.causes') ?? []) as { field: string; reason: string }[];
      const found = causes.map(({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`);
      assert.deepEqual(found, expected, what);
    }
    const core = { method: 'PATCH', path: '/api/v1/namespaces/default/events/e', body: { message: 'n' }, type };
    assert.equal((await fixture.send(core)).status, 200);
  });

  it('nothing of the address of a port of a host', async () => {
    const ports = [{ containerPort: 80, hostPort: 80, hostIP: 'anywhere' }];
    const answer = await create('v1 pods Pod', pod({ ports }));
    assert.equal(answer.status, 201, answer.text);
  });

  it('nothing of what the pods and claims of a stateful set are made of', async () => {
    const answer = await create(
      'apps/v1 statefulsets StatefulSet',
      workload({
        template: { metadata: { labels }, spec: { containers: [{ name: 'A_' }] } },
        volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }],
      }),
    );
    assert.equal(answer.status, 201, answer.text);
  });
});
