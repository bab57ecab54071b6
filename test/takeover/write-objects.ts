import { until } from '../http/until.ts';
import type { Plane } from './planes.ts';

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'a', image, resources: { requests: { cpu: '10m' } } }] },
});
const namespaced = (group: string, resource: string, name: string, body: object) =>
  [`${group}/namespaces/takeover/${resource}`, { metadata: { name }, ...body }] as const;
const core = '/api/v1';
const webhook = {
  name: 'a.example.com',
  clientConfig: { service: { name: 'nobody', namespace: 'takeover' } },
  rules: [{ apiGroups: ['nowhere.example.com'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
  failurePolicy: 'Ignore',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

/** The objects that are written first, by the path of their resource. */
const objects: readonly (readonly [at: string, body: object])[] = [
  [`${core}/namespaces`, { metadata: { name: 'takeover', labels: { a: 'b' } } }],
  namespaced(core, 'secrets', 'opaque', { data: { a: 'YQ==' }, type: 'Opaque' }),
  namespaced(core, 'secrets', 'immutable', { stringData: { b: 'c' }, immutable: true }),
  namespaced(core, 'configmaps', 'settings', { data: { a: 'ü' }, binaryData: { b: 'AAE=' } }),
  namespaced(core, 'serviceaccounts', 'robot', { automountServiceAccountToken: false }),
  namespaced(core, 'resourcequotas', 'some', { spec: { hard: { pods: '100', 'requests.cpu': '4' } } }),
  namespaced(core, 'limitranges', 'some', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
  namespaced(core, 'services', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  namespaced(core, 'services', 'node', {
    spec: { type: 'NodePort', selector: { app: 'x' }, ports: [{ port: 80, nodePort: 30123 }] },
  }),
  namespaced(core, 'services', 'manual', { spec: { clusterIP: '10.0.7.7', ports: [{ port: 80 }] } }),
  namespaced(core, 'endpoints', 'manual', { subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 1 }] }] }),
  namespaced(core, 'replicationcontrollers', 'old', {
    spec: { replicas: 0, selector: { app: 'web' }, template: template('rc') },
  }),
  namespaced(core, 'podtemplates', 'some', { template: template('pt') }),
  namespaced(core, 'persistentvolumeclaims', 'disk', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
  }),
  namespaced(core, 'events', 'happened', {
    involvedObject: { kind: 'Pod', namespace: 'takeover', name: 'x' },
    reason: 'Because',
    message: 'it happened',
    type: 'Normal',
  }),
  [
    `${core}/nodes`,
    { metadata: { name: 'node-1', labels: { zone: 'a' } }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  ],
  [
    `${core}/persistentvolumes`,
    {
      metadata: { name: 'volume' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 'other',
      },
    },
  ],
  namespaced('/apis/coordination.k8s.io/v1', 'leases', 'lock', {
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.678901Z' },
  }),
  namespaced('/apis/rbac.authorization.k8s.io/v1', 'roles', 'reader', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  namespaced('/apis/rbac.authorization.k8s.io/v1', 'rolebindings', 'reader', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
  }),
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    { metadata: { name: 'takeover' }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  ],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'takeover' }, value: 7, description: 'x' }],
  ['/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'takeover' }, provisioner: 'example.com/x' }],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    { metadata: { name: 'takeover' }, webhooks: [webhook] },
  ],
  [
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    { metadata: { name: 'takeover' }, webhooks: [webhook] },
  ],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    {
      metadata: { name: 'v1.aggregated.example.com' },
      spec: {
        group: 'aggregated.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 'nobody', namespace: 'takeover' },
      },
    },
  ],
  namespaced('/apis/networking.k8s.io/v1', 'networkpolicies', 'deny', {
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  }),
  namespaced('/apis/networking.k8s.io/v1', 'ingresses', 'web', {
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  }),
  namespaced('/apis/autoscaling/v1', 'horizontalpodautoscalers', 'idle', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
      targetCPUUtilizationPercentage: 50,
    },
  }),
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        ],
      },
    },
  ],
];

const workloads: readonly (readonly [at: string, body: object])[] = [
  namespaced('/apis/apps/v1', 'deployments', 'web', {
    spec: { replicas: 8, selector: { matchLabels: { app: 'web' } }, template: template('one') },
  }),
  namespaced('/apis/apps/v1', 'statefulsets', 'db', {
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: { app: 'db' } },
      template: { ...template('one'), metadata: { labels: { app: 'db' } } },
    },
  }),
  namespaced('/apis/batch/v1', 'jobs', 'sum', {
    spec: { completions: 4, parallelism: 2, template: { spec: { ...template('job').spec, restartPolicy: 'Never' } } },
  }),
];

/** Writes the first objects, custom ones with fields that are applied, and workloads that wait for their pods. */
export async function writeObjects({ send }: Plane): Promise<void> {
  for (const [at, body] of objects) await send('POST', at, body);
  const widgets = '/apis/example.com/v1/namespaces/takeover/widgets';
  await until('the kind of the definition', () =>
    send('GET', widgets).then(
      () => true,
      () => false,
    ),
  );
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget' };
  for (let index = 0; index < 20; index++) {
    await send('POST', widgets, {
      ...widget,
      metadata: { name: `w${index}` },
      spec: { z: 1, a: [{ b: null }, 'ü'], size: index },
    });
  }
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: 'b' } };
  await send(
    'PATCH',
    `${core}/namespaces/takeover/configmaps/applied?fieldManager=some&force=true`,
    applied,
    'application/apply-patch+yaml',
  );
  for (const [at, body] of workloads) await send('POST', at, body);
}

/** Changes one object of each kind, and creates and deletes others. */
export async function changeObjects({ send }: Plane): Promise<void> {
  const patch = { metadata: { annotations: { changed: new Date().toISOString() } } };
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { generateName: 'later-' },
    spec: { later: true },
  };
  for (const [at, body] of [...objects, ...workloads]) {
    const { name } = (body as { readonly metadata: { readonly name: string } }).metadata;
    if (at.endsWith('/apiservices')) continue;
    await send('PATCH', `${at}/${name}`, patch, 'application/merge-patch+json');
  }
  const widgets = '/apis/example.com/v1/namespaces/takeover/widgets';
  await send('POST', widgets, widget);
  await send('PATCH', `${widgets}/w1/status`, { status: { seen: true } }, 'application/merge-patch+json');
  const service = { metadata: { generateName: 'later-' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
  for (let index = 0; index < 5; index++) await send('POST', `${core}/namespaces/takeover/services`, service);
  await send('POST', `${core}/namespaces/takeover/secrets`, {
    metadata: { generateName: 'later-' },
    data: { a: 'YQ==' },
  });
}
