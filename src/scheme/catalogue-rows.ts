import type { ColumnInfo, Verb } from './resource-info.ts';

/** A sub-resource of a row. `versions`: where it is served, if not in all versions of the resource. */
export interface SubresourceRow {
  readonly name: string;
  readonly verbs: readonly Verb[];
  readonly versions?: readonly string[];
  /** The kind it takes where that is not the parent's, in the short group. */
  readonly kind?: {
    readonly shortGroup: string;
    readonly version: string;
    readonly kind: string;
    /** Versions that it takes besides the one that discovery tells. */
    readonly otherVersions?: readonly string[];
  };
}

/** A row as it is written down: groups are short, and what most rows have in common is left out. */
export interface ResourceRow {
  readonly shortGroup: string;
  readonly resource: string;
  readonly kind: string;
  /** Where the singular is not the kind in lower case. */
  readonly singular?: string;
  readonly namespaced?: true;
  /** In any order; the preferred one follows from the names. */
  readonly versions: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Where they are not all eight. A resource that cannot be watched is virtual: it is answered, not stored. */
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly SubresourceRow[];
  /** Where objects are not stored as the row's preferred version. */
  readonly storedAs?: { readonly shortGroup: string; readonly version: string };
  readonly columns?: readonly ColumnInfo[];
}

/** Every verb of a stored resource. */
export const allVerbs: readonly Verb[] = Object.freeze([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

const withoutDeleteCollection = allVerbs.filter((verb) => verb !== 'deletecollection');
const createOnly: readonly Verb[] = ['create'];
const readWrite: readonly Verb[] = ['get', 'patch', 'update'];

/** Status is written by whoever makes the spec come true. */
const status: SubresourceRow = { name: 'status', verbs: readWrite };
const approval: SubresourceRow = { name: 'approval', verbs: readWrite };
const finalize: SubresourceRow = { name: 'finalize', verbs: ['update'] };
const scale: SubresourceRow = {
  name: 'scale',
  verbs: readWrite,
  kind: { shortGroup: 'autoscaling', version: 'v1', kind: 'Scale' },
};
const eviction: SubresourceRow = {
  name: 'eviction',
  verbs: createOnly,
  kind: { shortGroup: 'policy', version: 'v1', kind: 'Eviction', otherVersions: ['v1beta1'] },
};
const binding: SubresourceRow = {
  name: 'binding',
  verbs: createOnly,
  kind: { shortGroup: '', version: 'v1', kind: 'Binding' },
};
const token: SubresourceRow = {
  name: 'token',
  verbs: createOnly,
  kind: { shortGroup: 'authentication', version: 'v1', kind: 'TokenRequest' },
};
const ephemeralContainers: SubresourceRow = { name: 'ephemeralcontainers', verbs: readWrite };

/**
 * The sub-resources that are served. The others are written down below with their verbs and kinds, and reach
 * discovery and the router with a name here.
 */
export const servedSubresources: ReadonlySet<string> = new Set([
  'approval',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'finalize',
  'scale',
  'status',
]);

const name: ColumnInfo = { name: 'Name', type: 'string', format: 'name' };
const age = text('Age');
const createdAt: ColumnInfo = { name: 'Created At', type: 'date' };

function text(title: string): ColumnInfo {
  return { name: title, type: 'string' };
}

/** A column that is shown only when asked for more (`-o wide`). */
function wide(title: string): ColumnInfo {
  return { name: title, type: 'string', priority: 1 };
}

function integer(title: string): ColumnInfo {
  return { name: title, type: 'integer' };
}

function flag(title: string): ColumnInfo {
  return { name: title, type: 'boolean' };
}

const workload = [wide('Containers'), wide('Images')];
const workloadWithSelector = [...workload, wide('Selector')];
const replicas = [name, integer('Desired'), integer('Current'), integer('Ready'), age, ...workloadWithSelector];
const roleBinding = [name, text('Role'), age, wide('Users'), wide('Groups'), wide('ServiceAccounts')];
const webhookConfiguration = [name, integer('Webhooks'), age];
const event = [
  text('Last Seen'),
  text('Type'),
  text('Reason'),
  text('Object'),
  wide('Subobject'),
  wide('Source'),
  text('Message'),
  wide('First Seen'),
  wide('Count'),
  { ...name, priority: 1 },
];
const ingress = [name, text('Class'), text('Hosts'), text('Address'), text('Ports'), age];

const core: readonly ResourceRow[] = [
  {
    shortGroup: '',
    resource: 'bindings',
    kind: 'Binding',
    namespaced: true,
    versions: ['v1'],
    verbs: createOnly,
  },
  {
    shortGroup: '',
    resource: 'componentstatuses',
    kind: 'ComponentStatus',
    versions: ['v1'],
    shortNames: ['cs'],
    verbs: ['get', 'list'],
    columns: [name, text('Status'), text('Message'), text('Error')],
  },
  {
    shortGroup: '',
    resource: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['cm'],
    columns: [name, text('Data'), age],
  },
  {
    shortGroup: '',
    resource: 'endpoints',
    kind: 'Endpoints',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['ep'],
    columns: [name, text('Endpoints'), age],
  },
  {
    shortGroup: '',
    resource: 'events',
    kind: 'Event',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['ev'],
    columns: event,
  },
  {
    shortGroup: '',
    resource: 'limitranges',
    kind: 'LimitRange',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['limits'],
    columns: [name, createdAt],
  },
  {
    shortGroup: '',
    resource: 'namespaces',
    kind: 'Namespace',
    versions: ['v1'],
    shortNames: ['ns'],
    verbs: withoutDeleteCollection,
    subresources: [finalize, status],
    columns: [name, text('Status'), age],
  },
  {
    shortGroup: '',
    resource: 'nodes',
    kind: 'Node',
    versions: ['v1'],
    shortNames: ['no'],
    subresources: [status],
    columns: [
      name,
      text('Status'),
      text('Roles'),
      age,
      text('Version'),
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
  },
  {
    shortGroup: '',
    resource: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['pvc'],
    subresources: [status],
    columns: [
      name,
      text('Status'),
      text('Volume'),
      text('Capacity'),
      text('Access Modes'),
      text('StorageClass'),
      age,
      wide('VolumeMode'),
    ],
  },
  {
    shortGroup: '',
    resource: 'persistentvolumes',
    kind: 'PersistentVolume',
    versions: ['v1'],
    shortNames: ['pv'],
    subresources: [status],
    columns: [
      name,
      text('Capacity'),
      text('Access Modes'),
      text('Reclaim Policy'),
      text('Status'),
      text('Claim'),
      text('StorageClass'),
      text('Reason'),
      age,
      wide('VolumeMode'),
    ],
  },
  {
    shortGroup: '',
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['po'],
    categories: ['all'],
    subresources: [binding, ephemeralContainers, eviction, status],
    columns: [
      name,
      text('Ready'),
      text('Status'),
      text('Restarts'),
      age,
      wide('IP'),
      wide('Node'),
      wide('Nominated Node'),
      wide('Readiness Gates'),
    ],
  },
  {
    shortGroup: '',
    resource: 'podtemplates',
    kind: 'PodTemplate',
    namespaced: true,
    versions: ['v1'],
    columns: [name, text('Containers'), text('Images'), text('Pod Labels')],
  },
  {
    shortGroup: '',
    resource: 'replicationcontrollers',
    kind: 'ReplicationController',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['rc'],
    categories: ['all'],
    subresources: [scale, status],
    columns: replicas,
  },
  {
    shortGroup: '',
    resource: 'resourcequotas',
    kind: 'ResourceQuota',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['quota'],
    subresources: [status],
    columns: [name, age, text('Request'), text('Limit')],
  },
  {
    shortGroup: '',
    resource: 'secrets',
    kind: 'Secret',
    namespaced: true,
    versions: ['v1'],
    columns: [name, text('Type'), text('Data'), age],
  },
  {
    shortGroup: '',
    resource: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['sa'],
    subresources: [token],
    columns: [name, text('Secrets'), age],
  },
  {
    shortGroup: '',
    resource: 'services',
    kind: 'Service',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['svc'],
    categories: ['all'],
    verbs: withoutDeleteCollection,
    subresources: [status],
    columns: [name, text('Type'), text('Cluster-IP'), text('External-IP'), text('Port(s)'), age, wide('Selector')],
  },
];

const apps: readonly ResourceRow[] = [
  {
    shortGroup: 'apps',
    resource: 'controllerrevisions',
    kind: 'ControllerRevision',
    namespaced: true,
    versions: ['v1'],
    columns: [name, text('Controller'), text('Revision'), age],
  },
  {
    shortGroup: 'apps',
    resource: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['ds'],
    categories: ['all'],
    subresources: [status],
    columns: [
      name,
      integer('Desired'),
      integer('Current'),
      integer('Ready'),
      integer('Up-to-date'),
      integer('Available'),
      text('Node Selector'),
      age,
      ...workloadWithSelector,
    ],
  },
  {
    shortGroup: 'apps',
    resource: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [scale, status],
    columns: [name, text('Ready'), text('Up-to-date'), text('Available'), age, ...workloadWithSelector],
  },
  {
    shortGroup: 'apps',
    resource: 'replicasets',
    kind: 'ReplicaSet',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [scale, status],
    columns: replicas,
  },
  {
    shortGroup: 'apps',
    resource: 'statefulsets',
    kind: 'StatefulSet',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [scale, status],
    columns: [name, text('Ready'), age, ...workload],
  },
];

const access: readonly ResourceRow[] = [
  {
    shortGroup: 'authentication',
    resource: 'tokenreviews',
    kind: 'TokenReview',
    versions: ['v1', 'v1beta1'],
    verbs: createOnly,
  },
  {
    shortGroup: 'authorization',
    resource: 'localsubjectaccessreviews',
    kind: 'LocalSubjectAccessReview',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    verbs: createOnly,
  },
  {
    shortGroup: 'authorization',
    resource: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    versions: ['v1', 'v1beta1'],
    verbs: createOnly,
  },
  {
    shortGroup: 'authorization',
    resource: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    versions: ['v1', 'v1beta1'],
    verbs: createOnly,
  },
  {
    shortGroup: 'authorization',
    resource: 'subjectaccessreviews',
    kind: 'SubjectAccessReview',
    versions: ['v1', 'v1beta1'],
    verbs: createOnly,
  },
];

const scaling: readonly ResourceRow[] = [
  {
    shortGroup: 'autoscaling',
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
    // v2 stores them: v1 has no place for most metrics but annotations.
    versions: ['v2', 'v1', 'v2beta2', 'v2beta1'],
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: [status],
    columns: [name, text('Reference'), text('Targets'), text('MinPods'), text('MaxPods'), text('Replicas'), age],
  },
  {
    shortGroup: 'batch',
    resource: 'cronjobs',
    kind: 'CronJob',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    shortNames: ['cj'],
    categories: ['all'],
    subresources: [status],
    columns: [
      name,
      text('Schedule'),
      flag('Suspend'),
      integer('Active'),
      text('Last Schedule'),
      age,
      ...workloadWithSelector,
    ],
  },
  {
    shortGroup: 'batch',
    resource: 'jobs',
    kind: 'Job',
    namespaced: true,
    versions: ['v1'],
    categories: ['all'],
    subresources: [status],
    columns: [name, text('Completions'), text('Duration'), age, ...workloadWithSelector],
  },
  {
    shortGroup: 'certificates',
    resource: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    versions: ['v1', 'v1beta1'],
    shortNames: ['csr'],
    subresources: [approval, status],
    columns: [name, age, text('SignerName'), text('Requestor'), text('Condition')],
  },
];

const networking: readonly ResourceRow[] = [
  {
    shortGroup: 'networking',
    resource: 'ingressclasses',
    kind: 'IngressClass',
    versions: ['v1', 'v1beta1'],
    columns: [name, text('Controller'), text('Parameters'), age],
  },
  {
    shortGroup: 'networking',
    resource: 'ingresses',
    kind: 'Ingress',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    shortNames: ['ing'],
    subresources: [status],
    columns: ingress,
  },
  {
    shortGroup: 'networking',
    resource: 'networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    versions: ['v1'],
    shortNames: ['netpol'],
    columns: [name, text('Pod-Selector'), age],
  },
  {
    shortGroup: 'extensions',
    resource: 'ingresses',
    kind: 'Ingress',
    namespaced: true,
    versions: ['v1beta1'],
    shortNames: ['ing'],
    subresources: [status],
    storedAs: { shortGroup: 'networking', version: 'v1' },
    columns: ingress,
  },
];

const policy: readonly ResourceRow[] = [
  {
    shortGroup: 'policy',
    resource: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    shortNames: ['pdb'],
    subresources: [status],
    columns: [name, text('Min Available'), text('Max Unavailable'), integer('Allowed Disruptions'), age],
  },
  {
    shortGroup: 'policy',
    resource: 'podsecuritypolicies',
    kind: 'PodSecurityPolicy',
    singular: 'podsecuritypolicy',
    versions: ['v1beta1'],
    shortNames: ['psp'],
    columns: [
      name,
      text('Priv'),
      text('Caps'),
      text('SELinux'),
      text('RunAsUser'),
      text('FsGroup'),
      text('SupGroup'),
      text('ReadOnlyRootFs'),
      text('Volumes'),
    ],
  },
  {
    shortGroup: 'rbac.authorization',
    resource: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    versions: ['v1', 'v1beta1'],
    columns: roleBinding,
  },
  {
    shortGroup: 'rbac.authorization',
    resource: 'clusterroles',
    kind: 'ClusterRole',
    versions: ['v1', 'v1beta1'],
    columns: [name, createdAt],
  },
  {
    shortGroup: 'rbac.authorization',
    resource: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    columns: roleBinding,
  },
  {
    shortGroup: 'rbac.authorization',
    resource: 'roles',
    kind: 'Role',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    columns: [name, createdAt],
  },
];

const storage: readonly ResourceRow[] = [
  {
    shortGroup: 'storage',
    resource: 'csidrivers',
    kind: 'CSIDriver',
    versions: ['v1', 'v1beta1'],
    columns: [name, flag('AttachRequired'), flag('PodInfoOnMount'), text('Modes'), age],
  },
  {
    shortGroup: 'storage',
    resource: 'csinodes',
    kind: 'CSINode',
    versions: ['v1', 'v1beta1'],
    columns: [name, integer('Drivers'), age],
  },
  {
    shortGroup: 'storage',
    resource: 'csistoragecapacities',
    kind: 'CSIStorageCapacity',
    namespaced: true,
    versions: ['v1beta1'],
    columns: [name, text('StorageClassName'), text('Capacity')],
  },
  {
    shortGroup: 'storage',
    resource: 'storageclasses',
    kind: 'StorageClass',
    versions: ['v1', 'v1beta1'],
    shortNames: ['sc'],
    columns: [
      name,
      text('Provisioner'),
      text('ReclaimPolicy'),
      text('VolumeBindingMode'),
      text('AllowVolumeExpansion'),
      age,
    ],
  },
  {
    shortGroup: 'storage',
    resource: 'volumeattachments',
    kind: 'VolumeAttachment',
    versions: ['v1', 'v1beta1'],
    subresources: [{ ...status, versions: ['v1'] }],
    columns: [name, { ...text('Attacher'), format: 'name' }, text('PV'), text('Node'), flag('Attached'), age],
  },
];

const extension: readonly ResourceRow[] = [
  {
    shortGroup: 'admissionregistration',
    resource: 'mutatingwebhookconfigurations',
    kind: 'MutatingWebhookConfiguration',
    versions: ['v1', 'v1beta1'],
    categories: ['api-extensions'],
    columns: webhookConfiguration,
  },
  {
    shortGroup: 'admissionregistration',
    resource: 'validatingwebhookconfigurations',
    kind: 'ValidatingWebhookConfiguration',
    versions: ['v1', 'v1beta1'],
    categories: ['api-extensions'],
    columns: webhookConfiguration,
  },
  {
    shortGroup: 'apiextensions',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    versions: ['v1', 'v1beta1'],
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: [status],
    columns: [name, createdAt],
  },
];

const aggregation: readonly ResourceRow[] = [
  {
    shortGroup: 'apiregistration',
    resource: 'apiservices',
    kind: 'APIService',
    versions: ['v1', 'v1beta1'],
    categories: ['api-extensions'],
    subresources: [status],
    columns: [name, text('Service'), text('Available'), age],
  },
];

const events: readonly ResourceRow[] = [
  {
    shortGroup: 'events',
    resource: 'events',
    kind: 'Event',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    shortNames: ['ev'],
    storedAs: { shortGroup: '', version: 'v1' },
    columns: event,
  },
];

const operation: readonly ResourceRow[] = [
  {
    shortGroup: 'scheduling',
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    versions: ['v1', 'v1beta1'],
    shortNames: ['pc'],
    columns: [name, integer('Value'), flag('Global-Default'), age],
  },
  {
    shortGroup: 'coordination',
    resource: 'leases',
    kind: 'Lease',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    columns: [name, text('Holder'), age],
  },
  {
    shortGroup: 'node',
    resource: 'runtimeclasses',
    kind: 'RuntimeClass',
    versions: ['v1', 'v1beta1'],
    columns: [name, text('Handler'), age],
  },
  {
    shortGroup: 'discovery',
    resource: 'endpointslices',
    kind: 'EndpointSlice',
    namespaced: true,
    versions: ['v1', 'v1beta1'],
    columns: [name, text('AddressType'), text('Ports'), text('Endpoints'), age],
  },
  {
    shortGroup: 'flowcontrol',
    resource: 'flowschemas',
    kind: 'FlowSchema',
    versions: ['v1beta2', 'v1beta1'],
    subresources: [status],
    columns: [
      name,
      text('PriorityLevel'),
      text('MatchingPrecedence'),
      text('DistinguisherMethod'),
      age,
      text('MissingPL'),
    ],
  },
  {
    shortGroup: 'flowcontrol',
    resource: 'prioritylevelconfigurations',
    kind: 'PriorityLevelConfiguration',
    versions: ['v1beta2', 'v1beta1'],
    subresources: [status],
    columns: [
      name,
      text('Type'),
      text('AssuredConcurrencyShares'),
      text('Queues'),
      text('HandSize'),
      text('QueueLengthLimit'),
      age,
    ],
  },
];

/**
 * The rows of the catalogue, groups in the order in which discovery names them. Not served, and so without a row:
 * `bindings` and `componentstatuses` of the core group, and sub-resources that are streams or proxies.
 */
export const catalogueRows: readonly ResourceRow[] = Object.freeze([
  ...core,
  ...aggregation,
  ...apps,
  ...events,
  ...access,
  ...scaling,
  ...networking,
  ...policy,
  ...storage,
  ...extension,
  ...operation,
]);
