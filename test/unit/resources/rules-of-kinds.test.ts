import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { scheduleMessages } from '../../../src/resources/batch/cronjobs/schedule.ts';
import { builtInCatalogue } from '../../../src/resources/definitions.ts';
import { context, summarize } from './context.ts';

const { resources } = builtInCatalogue(identifiersOf('kubernetes')).current;

function strategyOf(resource: string) {
  const found = resources.find((one) => one.resource === resource);
  assert.ok(found, resource);
  return found.strategy;
}

const template = (labels: JsonObject = { a: 'b' }, restartPolicy = 'Always'): JsonObject => ({
  metadata: { labels },
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }] },
});
const workload = (spec: JsonObject = {}): JsonObject => ({
  spec: { selector: { matchLabels: { a: 'b' } }, template: template(), ...spec },
});
const path = (rest: JsonObject): JsonObject => ({ spec: { rules: [{ http: { paths: [rest] } }] } });
const backend = { service: { name: 's', port: { number: 80 } } };
const role = (rule: JsonObject): JsonObject => ({ rules: [rule] });

/** A new object and what is wrong with it. */
type Case = readonly [resource: string, title: string, object: JsonObject, errors: string[]];

const creates: readonly Case[] = [
  ['deployments', 'that selects its pods', workload(), []],
  [
    'deployments',
    'without selector',
    { spec: { template: template() } },
    ['spec.selector: Required', 'spec.template.metadata.labels: Invalid'],
  ],
  [
    'deployments',
    'that selects other pods',
    workload({ template: template({ a: 'z' }) }),
    ['spec.template.metadata.labels: Invalid'],
  ],
  ['deployments', 'that selects all pods', workload({ selector: {} }), ['spec.selector: Invalid']],
  [
    'deployments',
    'whose pods end',
    workload({ template: template({ a: 'b' }, 'Never') }),
    ['spec.template.spec.restartPolicy: NotSupported'],
  ],
  ['deployments', 'of minus one', workload({ replicas: -1 }), ['spec.replicas: Invalid']],
  [
    'deployments',
    'that can never roll out',
    workload({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid'],
  ],
  [
    'cronjobs',
    'with a long name',
    {
      metadata: { name: 'a'.repeat(53) },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template({}, 'Never') } } },
    },
    ['metadata.name: Invalid'],
  ],
  ['ingresses', 'without target', { spec: {} }, ['spec: Invalid']],
  ['ingresses', 'with an exact path', path({ path: '/a', pathType: 'Exact', backend }), []],
  [
    'ingresses',
    'with an ambiguous path',
    path({ path: '/a/../b', pathType: 'Prefix', backend }),
    ['spec.rules[0].http.paths[0].path: Invalid'],
  ],
  ['ingresses', 'without path where none is needed', path({ pathType: 'ImplementationSpecific', backend }), []],
  ['ingresses', 'without path type', path({ path: '/', backend }), ['spec.rules[0].http.paths[0].pathType: Required']],
  [
    'ingresses',
    'with two backends in one',
    path({ path: '/', pathType: 'Exact', backend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
    ['spec.rules[0].http.paths[0].backend: Invalid'],
  ],
  [
    'ingresses',
    'with two classes',
    {
      metadata: { annotations: { 'cluster.io/ingress.class': 'a' } },
      spec: { defaultBackend: backend, ingressClassName: 'b' },
    },
    ['annotations.cluster.io/ingress.class: Invalid'],
  ],
  ['ingressclasses', 'without domain', { spec: { controller: 'none' } }, ['spec.controller: Invalid']],
  ['configmaps', 'with a key twice', { data: { a: 'x' }, binaryData: { a: 'eA==' } }, ['data[a]: Invalid']],
  ['services', 'without ports', { spec: { type: 'ClusterIP' } }, ['spec.ports: Required']],
  [
    'services',
    'without ports or address',
    { spec: { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] } },
    [],
  ],
  [
    'services',
    'with two ports and no names',
    { spec: { ports: [{ port: 1 }, { port: 2 }] } },
    ['spec.ports[0].name: Required', 'spec.ports[1].name: Required'],
  ],
  ['services', 'outside without name', { spec: { type: 'ExternalName' } }, ['spec.externalName: Required']],
  ['endpoints', 'without addresses', { subsets: [{ ports: [] }] }, ['subsets[0]: Required']],
  ['roles', 'about paths', role({ verbs: ['get'], nonResourceURLs: ['/x'] }), ['rules[0].nonResourceURLs: Invalid']],
  ['clusterroles', 'about paths', role({ verbs: ['get'], nonResourceURLs: ['/x'] }), []],
  ['roles', 'without verbs', role({ apiGroups: [''], resources: ['pods'] }), ['rules[0].verbs: Required']],
  ['priorityclasses', 'of the system', { metadata: { name: 'system-mine' }, value: 1 }, ['metadata.name: Forbidden']],
  ['priorityclasses', 'above all users', { metadata: { name: 'mine' }, value: 1_000_000_001 }, ['value: Forbidden']],
  [
    'events',
    'in another namespace',
    { metadata: { namespace: 'a' }, involvedObject: { namespace: 'b' } },
    ['involvedObject.namespace: Invalid'],
  ],
  [
    'events',
    'of the newer form that says nothing',
    { metadata: { namespace: 'default' }, eventTime: '2026-01-01T00:00:00.000000Z' },
    [
      'reportingController: Required',
      'reportingController: Invalid',
      'reportingController: Invalid',
      'reportingInstance: Required',
      'action: Required',
      'reason: Required',
    ],
  ],
  ['leases', 'of no time', { spec: { leaseDurationSeconds: 0 } }, ['spec.leaseDurationSeconds: Invalid']],
  [
    'horizontalpodautoscalers',
    'with bounds in the wrong order',
    { spec: { minReplicas: 3, maxReplicas: 2, scaleTargetRef: { kind: 'D', name: 'd' } } },
    ['spec.maxReplicas: Invalid'],
  ],
  ['poddisruptionbudgets', 'with both bounds', { spec: { minAvailable: 1, maxUnavailable: 1 } }, ['spec: Invalid']],
  [
    'apiservices',
    'under another name',
    {
      metadata: { name: 'x' },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    },
    ['metadata.name: Invalid'],
  ],
  [
    'limitranges',
    'whose least is more than its most',
    { spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1000m' } }] } },
    ['spec.limits[0].min[cpu]: Invalid'],
  ],
];

/** An update and its errors. */
type RefusedUpdate = readonly [resource: string, title: string, object: JsonObject, old: JsonObject, errors: string[]];

const updates: readonly RefusedUpdate[] = [
  [
    'deployments',
    'its selector',
    workload({ selector: { matchLabels: { a: 'c' } } }),
    workload(),
    ['spec.selector: Invalid'],
  ],
  ['statefulsets', 'its service', workload({ serviceName: 't' }), workload({ serviceName: 's' }), ['spec: Forbidden']],
  ['statefulsets', 'its size', workload({ replicas: 2 }), workload({ replicas: 1 }), []],
  [
    'jobs',
    'its template',
    { spec: { selector: { matchLabels: {} }, template: template({ a: 'c' }, 'Never') } },
    { spec: { selector: { matchLabels: {} }, template: template({ a: 'b' }, 'Never') } },
    ['spec.template: Invalid'],
  ],
  ['controllerrevisions', 'its data', { data: { a: 1 } }, { data: { a: 2 } }, ['data: Invalid']],
  ['rolebindings', 'its role', { roleRef: { name: 'b' } }, { roleRef: { name: 'a' } }, ['roleRef: Invalid']],
  ['priorityclasses', 'its value', { value: 2 }, { value: 1 }, ['Value: Forbidden']],
  ['storageclasses', 'its provisioner', { provisioner: 'b' }, { provisioner: 'a' }, ['provisioner: Forbidden']],
  [
    'persistentvolumes',
    'its source',
    { spec: { nfs: {} } },
    { spec: { hostPath: { path: '/' } } },
    ['spec.persistentvolumesource: Forbidden'],
  ],
  [
    'persistentvolumeclaims',
    'its class',
    { spec: { storageClassName: 'b' } },
    { spec: { storageClassName: 'a' } },
    ['spec: Forbidden'],
  ],
  ['persistentvolumeclaims', 'its volume, once found', { spec: { volumeName: 'v' } }, { spec: {} }, []],
];

describe('rules of kinds', () => {
  for (const [resource, title, object, errors] of creates) {
    it(`${resource} ${title}: ${errors.join(', ') || 'fine'}`, async () => {
      const { validate, validateCreate } = strategyOf(resource);
      assert.deepEqual(
        summarize([...(validate?.(object, context) ?? []), ...((await validateCreate?.(object, context)) ?? [])]),
        errors,
      );
    });
  }

  for (const [resource, title, object, old, errors] of updates) {
    it(`${resource} changing ${title}: ${errors.join(', ') || 'fine'}`, () => {
      assert.deepEqual(summarize(strategyOf(resource).validateUpdate?.(object, old, context) ?? []), errors);
    });
  }

  it('a job without labels has those of its pods, those that it selects them by too', () => {
    const strategy = strategyOf('jobs');
    const created = (labels?: JsonObject): unknown => {
      const metadata: JsonObject = { name: 'j', uid: 'u', ...(labels ? { labels } : {}) };
      const job: JsonObject = { metadata, spec: { template: template({}, 'Never') } };
      strategy.default?.(job, context);
      strategy.prepareForCreate?.(job, context);
      return metadata['labels'];
    };
    assert.deepEqual(created(), { 'controller-uid': 'u', 'job-name': 'j' });
    assert.deepEqual(created({ a: 'b' }), { a: 'b' });
  });

  it('a job selects its pods by its uid', () => {
    const job: JsonObject = { metadata: { name: 'j', uid: 'u' }, spec: { template: template({}, 'Never') } };
    const strategy = strategyOf('jobs');
    strategy.default?.(job, context);
    strategy.prepareForCreate?.(job, context);
    assert.deepEqual((job['spec'] as JsonObject)['selector'], { matchLabels: { 'controller-uid': 'u' } });
    assert.deepEqual(summarize(strategy.validate?.(job, context) ?? []), []);
  });

  it('a policy keeps nothing of how /proc is mounted, as no release by default', () => {
    const policy: JsonObject = { spec: { privileged: true, allowedProcMountTypes: ['Default'] } };
    const strategy = strategyOf('podsecuritypolicies');
    strategy.prepareForCreate?.(policy, context);
    assert.deepEqual(policy, { spec: { privileged: true } });
    const changed: JsonObject = { spec: { allowedProcMountTypes: ['Default'] } };
    strategy.prepareForUpdate?.(changed, policy, context);
    assert.deepEqual(changed, { spec: {} });
  });

  it('a replication controller takes selector and labels from its template', () => {
    const controller: JsonObject = { spec: { template: template() } };
    strategyOf('replicationcontrollers').default?.(controller, context);
    assert.deepEqual((controller['spec'] as JsonObject)['selector'], { a: 'b' });
    assert.deepEqual(controller['metadata'], { labels: { a: 'b' } });
  });

  it('a namespace is active, named by a label, and held by its finalizer until that is gone', () => {
    const strategy = strategyOf('namespaces');
    const namespace: JsonObject = { metadata: { name: 'n' }, status: { phase: 'Terminating' } };
    strategy.prepareForCreate?.(namespace, context);
    assert.deepEqual(namespace, {
      metadata: { name: 'n', labels: { 'cluster.io/metadata.name': 'n' } },
      status: { phase: 'Active' },
      spec: { finalizers: ['cluster'] },
    });
    assert.equal(strategy.holdsDeletion?.(namespace), true);
    strategy.prepareForDelete?.(namespace, context);
    assert.deepEqual(namespace['status'], { phase: 'Terminating' });
    assert.equal(strategy.holdsDeletion?.({ spec: { finalizers: [] } }), false);
  });

  it('every object gives every selectable field', () => {
    for (const { resource, strategy } of resources.filter(({ storage }) => storage)) {
      const given = Object.keys(strategy.fieldsOf?.({}) ?? {});
      assert.deepEqual(given.toSorted(), [...(strategy.selectableFields ?? [])].toSorted(), resource);
    }
  });

  const schedules: readonly (readonly [schedule: string, good: boolean])[] = [
    ['*/5 * * * *', true],
    ['0 9-17/2 1,15 jan-mar MON-FRI', true],
    ['TZ=Europe/Berlin 0 0 * * *', true],
    ['@daily', true],
    ['@every 5m', true],
    ['* * * *', false],
    ['60 * * * *', false],
    ['5-1 * * * *', false],
    ['*/0 * * * *', false],
    ['@sometimes', false],
    ['', false],
  ];
  for (const [schedule, good] of schedules) {
    it(`a schedule ${JSON.stringify(schedule)} is ${good ? 'good' : 'refused'}`, () => {
      assert.equal(scheduleMessages(schedule).length === 0, good);
    });
  }
});
