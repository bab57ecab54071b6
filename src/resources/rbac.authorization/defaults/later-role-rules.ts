/** A change of a default role by a release, or by a feature of it. */
interface RoleChange {
  /** The name of the ClusterRole; after a namespace and `/`, of the Role. */
  readonly role: string;
  readonly since: string;
  /** The first release that does not have the change any more. */
  readonly until?: string;
  /** The feature gate that brings the change. */
  readonly gate?: string;
  /** Rules that go. The added ones take the place of the first. */
  readonly gone?: readonly string[];
  /** Rules that come, at the end if none goes. */
  readonly added?: readonly string[];
}

const controller = (name: string): string => `system:controller:${name}`;
const edit = 'system:aggregate-to-edit';
const view = 'system:aggregate-to-view';
const scheduler = 'system:{prefix}scheduler';
/** The controller here reads migrations itself, and patches their status. */
const migrations = [
  'read storagemigration storageversionmigrations',
  'patch,update storagemigration storageversionmigrations/status',
];
const disruption = 'PodDisruptionConditions';
const allocation = 'DynamicResourceAllocation';

const probes = '/healthz,/healthz/*,/livez,/livez/*,/metrics';
const editedOf = (rest: string): string =>
  `write core configmaps,${rest}persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy`;
const viewedOf = (rest: string): string =>
  `read core bindings,${rest}limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status`;

/**
 * The changes of the default roles by the releases after 1.23, in their order, as `readRule` reads
 * rules. A role that is not among those of 1.23 begins here.
 */
export const laterRoleRules: readonly RoleChange[] = [
  { role: edit, since: '1.24', added: ['create core pods/eviction', 'create core serviceaccounts/token'] },
  { role: edit, since: '1.24', added: ['read,write coordination leases'] },
  ...['endpointslice-controller', 'endpointslicemirroring-controller'].map((name) => ({
    role: controller(name),
    since: '1.24',
    added: ['create discovery endpointslices/restricted'],
  })),

  {
    role: controller('node-controller'),
    since: '1.25',
    until: '1.30',
    added: ['create,get,list,update networking clustercidrs'],
  },

  {
    role: 'system:monitoring',
    since: '1.26',
    gone: [`get ${probes},/readyz,/readyz/*`],
    added: [`get ${probes},/metrics/slis,/readyz,/readyz/*`],
  },
  {
    role: controller('node-controller'),
    since: '1.26',
    gone: ['update core pods/status'],
    added: ['patch,update core pods/status'],
  },
  { role: controller('node-controller'), since: '1.26', until: '1.31', gate: disruption, added: ['get core pods'] },
  {
    role: controller('disruption-controller'),
    since: '1.26',
    until: '1.27',
    gate: disruption,
    added: ['patch core pods/status'],
  },
  { role: controller('pod-garbage-collector'), since: '1.25', gate: disruption, added: ['patch core pods/status'] },
  { role: 'system:node', since: '1.26', gate: allocation, added: ['get resource resourceclaims'] },

  {
    role: 'system:{nodeAgent}-api-admin',
    since: '1.27',
    gone: ['* core nodes/log,nodes/metrics,nodes/proxy,nodes/spec,nodes/stats'],
    added: ['* core nodes/log,nodes/metrics,nodes/proxy,nodes/stats'],
  },
  {
    role: controller('horizontal-pod-autoscaler'),
    since: '1.27',
    gone: ['get core services/proxy http:heapster:,https:heapster:'],
  },
  {
    role: controller('disruption-controller'),
    since: '1.27',
    gate: disruption,
    added: ['patch,update core pods/status'],
  },
  {
    role: controller('statefulset-controller'),
    since: '1.23',
    until: '1.27',
    gate: 'StatefulSetAutoDeletePVC',
    added: ['update core persistentvolumeclaims'],
  },
  {
    role: 'system:cluster-trust-bundle-discovery',
    since: '1.27',
    gate: 'ClusterTrustBundle',
    added: ['read certificates clustertrustbundles'],
  },
  { role: 'system:node', since: '1.27', gate: 'ClusterTrustBundle', added: ['read certificates clustertrustbundles'] },

  {
    role: 'system:{prefix}controller-manager',
    since: '1.28',
    gone: ['create core endpoints', 'get,update core endpoints {prefix}controller-manager'],
  },
  { role: scheduler, since: '1.28', gone: ['create core endpoints', 'get,update core endpoints {prefix}scheduler'] },
  {
    role: 'system:service-account-issuer-discovery',
    since: '1.28',
    gone: ['get /.well-known/openid-configuration,/openid/v1/jwks'],
    added: [
      'get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
    ],
  },
  {
    role: controller('statefulset-controller'),
    since: '1.28',
    gone: ['create,get core persistentvolumeclaims'],
    added: ['create,get,list,watch core persistentvolumeclaims'],
  },
  {
    role: controller('statefulset-controller'),
    since: '1.27',
    gate: 'StatefulSetAutoDeletePVC',
    added: ['delete,update core persistentvolumeclaims'],
  },
  {
    role: controller('statefulset-controller'),
    since: '1.28',
    gate: 'StatefulSetAutoDeletePVC',
    added: ['update core pods/finalizers'],
  },
  {
    role: controller('legacy-service-account-token-cleaner'),
    since: '1.28',
    until: '1.29',
    gate: 'LegacyServiceAccountTokenCleanUp',
    added: ['get core configmaps {prefix}apiserver-legacy-service-account-token-tracking', 'delete core secrets'],
  },
  {
    role: controller('validatingadmissionpolicy-status-controller'),
    since: '1.28',
    gate: 'ValidatingAdmissionPolicy',
    added: [
      'read admissionregistration validatingadmissionpolicies',
      'get,patch,update admissionregistration validatingadmissionpolicies/status',
      'events',
    ],
  },

  { role: scheduler, since: '1.29', added: ['read storage volumeattachments'] },
  {
    role: controller('legacy-service-account-token-cleaner'),
    since: '1.29',
    gate: 'LegacyServiceAccountTokenCleanUp',
    added: ['get core configmaps {prefix}apiserver-legacy-service-account-token-tracking', 'delete,patch core secrets'],
  },
  {
    role: controller('service-cidrs-controller'),
    since: '1.29',
    gate: 'MultiCIDRServiceAllocator',
    added: [
      'get,list,patch,update,watch networking servicecidrs',
      'patch,update networking servicecidrs/finalizers',
      'patch,update networking servicecidrs/status',
      'read networking ipaddresses',
      'events',
    ],
  },

  {
    role: 'system:node-proxier',
    since: '1.30',
    gate: 'MultiCIDRServiceAllocator',
    added: ['list,watch networking servicecidrs'],
  },
  { role: 'system:node', since: '1.30', gate: allocation, added: ['deletecollection resource resourceslices'] },
  {
    role: controller('storage-version-garbage-collector'),
    since: '1.27',
    gate: 'StorageVersionAPI',
    added: [
      'read coordination leases',
      'delete,get,list,patch,update,watch internal.apiserver storageversions',
      'get,patch,update internal.apiserver storageversions/status',
    ],
  },
  {
    role: controller('storage-version-migrator-controller'),
    since: '1.30',
    until: '1.35',
    gate: 'StorageVersionMigrator',
    added: ['list,patch * *', ...migrations],
  },

  ...['{prefix}controller-manager', '{prefix}scheduler'].map((component) => ({
    role: `{prefix}system/system::leader-locking-${component}`,
    since: '1.31',
    added: [
      'create,get,list,update,watch coordination leases',
      'create,get,list,update,watch coordination leasecandidates',
    ],
  })),
  {
    role: controller('node-controller'),
    since: '1.31',
    gone: ['delete,list core pods'],
    added: ['delete,get,list core pods'],
  },
  {
    role: scheduler,
    since: '1.31',
    gone: ['get,update coordination leases {prefix}scheduler'],
    added: ['get,list,update,watch coordination leases {prefix}scheduler', 'read,write coordination leasecandidates'],
  },
  {
    role: scheduler,
    since: '1.31',
    gate: allocation,
    added: [
      'read resource deviceclasses',
      'get,list,patch,update,watch resource resourceclaims',
      'get,list,patch,update,watch resource resourceclaims/status',
    ],
  },
  {
    role: scheduler,
    since: '1.31',
    until: '1.34',
    gate: allocation,
    added: ['get,list,patch,update,watch core pods/finalizers'],
  },
  { role: scheduler, since: '1.34', gate: allocation, added: ['update core pods/finalizers'] },
  { role: scheduler, since: '1.31', gate: allocation, added: ['read resource resourceslices'] },
  {
    role: controller('resource-claim-controller'),
    since: '1.31',
    gate: allocation,
    added: [
      'read core pods',
      'update core pods/finalizers',
      'create,delete,get,list,watch resource resourceclaims',
      // The controller here reads templates itself.
      'read resource resourceclaimtemplates',
      'patch,update resource resourceclaims,resourceclaims/status',
      'patch,update core pods/status',
      'events',
    ],
  },

  ...watchesSince132(),
  {
    role: controller('expand-controller'),
    since: '1.32',
    gone: ['read storage storageclasses', 'get core secrets', 'get core endpoints,services'],
    added: ['get core services'],
  },
  {
    role: controller('persistent-volume-binder'),
    since: '1.32',
    gone: ['create,delete,get,update core endpoints', 'get core secrets', 'create,delete,get core services'],
    added: ['get core services'],
  },
  {
    role: controller('volumeattributesclass-protection-controller'),
    since: '1.32',
    gate: 'VolumeAttributesClass',
    added: [
      'read core persistentvolumeclaims',
      'read core persistentvolumes',
      'get,list,update,watch storage volumeattributesclasses',
      'events',
    ],
  },
  {
    role: controller('selinux-warning-controller'),
    since: '1.32',
    gate: 'SELinuxChangePolicy',
    added: [
      'events',
      'read core persistentvolumes',
      'read core persistentvolumeclaims',
      'read core pods',
      'read storage csidrivers',
    ],
  },
  {
    role: controller('{prefix}apiserver-serving-clustertrustbundle-publisher'),
    since: '1.32',
    gate: 'ClusterTrustBundle',
    added: [
      'attest certificates signers {label}/{prefix}apiserver-serving',
      'create,delete,list,update,watch certificates clustertrustbundles',
      'events',
    ],
  },
  {
    role: 'system:{nodeAgent}-api-admin',
    since: '1.32',
    gate: 'KubeletFineGrainedAuthz',
    added: ['* core nodes/configz,nodes/healthz,nodes/pods'],
  },
  { role: 'system:monitoring', since: '1.32', until: '1.36', gate: 'ComponentFlagz', added: ['get /flagz'] },
  { role: 'system:monitoring', since: '1.32', until: '1.36', gate: 'ComponentStatusz', added: ['get /statusz'] },

  { role: edit, since: '1.33', gate: allocation, added: ['write resource resourceclaims,resourceclaimtemplates'] },
  {
    role: view,
    since: '1.33',
    gate: allocation,
    added: ['read resource resourceclaims,resourceclaims/status,resourceclaimtemplates'],
  },
  {
    role: 'system:node',
    since: '1.33',
    gate: 'KubeletServiceAccountTokenForCredentialProviders',
    added: ['get core serviceaccounts'],
  },
  { role: scheduler, since: '1.33', until: '1.35', gate: 'DRADeviceTaints', added: ['read resource devicetaintrules'] },
  { role: scheduler, since: '1.34', gate: 'DRAExtendedResource', added: ['create,delete resource resourceclaims'] },
  { role: scheduler, since: '1.35', gate: 'DRADeviceTaintRules', added: ['read resource devicetaintrules'] },
  {
    role: controller('device-taint-eviction-controller'),
    since: '1.33',
    gate: 'DRADeviceTaints',
    added: [
      'delete,get,list,watch core pods',
      'patch,update core pods/status',
      'read resource resourceclaims',
      'read resource resourceslices',
      'read resource deviceclasses',
      'events',
    ],
  },
  {
    role: controller('device-taint-eviction-controller'),
    since: '1.35',
    gate: 'DRADeviceTaintRules',
    added: ['read resource devicetaintrules', 'patch,update resource devicetaintrules/status'],
  },

  { role: 'system:monitoring', since: '1.34', added: ['get core nodes/metrics'] },
  {
    role: 'system:node',
    since: '1.34',
    gate: 'PodCertificateRequest',
    added: ['create,get,list,watch certificates podcertificaterequests'],
  },
  {
    role: controller('podcertificaterequestcleaner'),
    since: '1.34',
    gate: 'PodCertificateRequest',
    added: ['delete,get,list,watch certificates podcertificaterequests'],
  },

  ...['{prefix}controller-manager', '{prefix}scheduler'].map((component) => ({
    role: `{prefix}system/system::leader-locking-${component}`,
    since: '1.35',
    gone: ['watch core configmaps', `get,update core configmaps ${component}`],
  })),
  { role: edit, since: '1.35', gone: [editedOf('events,')], added: [editedOf('')] },
  { role: edit, since: '1.35', added: ['write core,events events'] },
  { role: view, since: '1.35', gone: [viewedOf('events,')], added: [viewedOf('')] },
  { role: view, since: '1.35', added: ['read core,events events'] },
  { role: 'system:node', since: '1.35', gone: ['create,patch,update core events'], added: ['events'] },
  { role: scheduler, since: '1.35', until: '1.36', gate: 'GenericWorkload', added: ['read scheduling workloads'] },
  {
    role: controller('storage-version-migrator-controller'),
    since: '1.35',
    gate: 'StorageVersionMigrator',
    added: [
      'create,list,patch * *',
      'get apiextensions customresourcedefinitions',
      'patch apiextensions customresourcedefinitions/status',
      ...migrations,
    ],
  },

  {
    role: 'system:monitoring',
    since: '1.36',
    gone: [`get ${probes},/metrics/slis,/readyz,/readyz/*`],
    added: [`get /flagz,${probes},/metrics/slis,/readyz,/readyz/*,/statusz`],
  },
  { role: controller('expand-controller'), since: '1.36', gone: ['get core services'] },
  { role: controller('persistent-volume-binder'), since: '1.36', gone: ['get core services'] },
  {
    role: controller('pvc-protection-controller'),
    since: '1.36',
    added: ['update core persistentvolumeclaims/status'],
  },
  ...[controller('resource-claim-controller'), scheduler].map((role) => ({
    role,
    since: '1.36',
    gate: 'DRAResourceClaimGranularStatusAuthorization',
    added: ['patch,update resource resourceclaims/binding'],
  })),
  {
    role: controller('selinux-warning-controller'),
    since: '1.36',
    gate: 'SELinuxChangePolicy',
    added: ['create core configmaps', 'patch core configmaps selinux-conflicts'],
  },
  { role: edit, since: '1.36', gate: 'GenericWorkload', added: ['write scheduling podgroups,workloads'] },
  {
    role: view,
    since: '1.36',
    gate: 'GenericWorkload',
    added: ['read scheduling podgroups,podgroups/status,workloads'],
  },
  {
    role: scheduler,
    since: '1.36',
    gate: 'GenericWorkload',
    added: ['read scheduling podgroups', 'patch,update scheduling podgroups/status'],
  },
  {
    role: controller('podgroup-protection-controller'),
    since: '1.36',
    gate: 'GenericWorkload',
    added: ['get,list,update,watch scheduling podgroups', 'read core pods'],
  },
  {
    role: controller('resourcepoolstatusrequest-controller'),
    since: '1.36',
    gate: 'DRAResourcePoolStatus',
    added: [
      'delete,get,list,watch resource resourcepoolstatusrequests',
      'patch,update resource resourcepoolstatusrequests/status',
      'read resource resourceslices',
      'read resource resourceclaims',
      'events',
    ],
  },
  {
    role: controller('job-controller'),
    since: '1.36',
    gate: 'WorkloadWithJob',
    added: ['create,get,list,watch scheduling podgroups,workloads'],
  },
];

/** Controllers may watch what they list since 1.32, because their informers stream lists. */
function watchesSince132(): readonly RoleChange[] {
  const rules: readonly (readonly [account: string, before: string, after: string])[] = [
    ['cronjob-controller', 'delete,list core pods', 'delete,list,watch core pods'],
    [
      'endpoint-controller',
      'create,delete,get,list,update core endpoints',
      'create,delete,get,list,update,watch core endpoints',
    ],
    ...['endpointslice-controller', 'endpointslicemirroring-controller'].map(
      (account) =>
        [
          account,
          'create,delete,get,list,update discovery endpointslices',
          'create,delete,get,list,update,watch discovery endpointslices',
        ] as const,
    ),
    ['horizontal-pod-autoscaler', 'list core pods', 'list,watch core pods'],
    ['horizontal-pod-autoscaler', 'list metrics pods', 'list,watch metrics pods'],
    ['horizontal-pod-autoscaler', 'get,list custom.metrics *', 'read custom.metrics *'],
    ['horizontal-pod-autoscaler', 'get,list external.metrics *', 'read external.metrics *'],
    ['namespace-controller', 'delete,deletecollection,get,list * *', 'delete,deletecollection,get,list,watch * *'],
    ['node-controller', 'delete,get,list,patch,update core nodes', 'delete,get,list,patch,update,watch core nodes'],
    ['node-controller', 'delete,get,list core pods', 'delete,get,list,watch core pods'],
    ['persistent-volume-binder', 'get,list core nodes', 'list,watch core nodes'],
    ['pod-garbage-collector', 'get,list core nodes', 'read core nodes'],
  ];
  return rules.map(([account, before, after]) => ({
    role: controller(account),
    since: '1.32',
    gone: [before],
    added: [after],
  }));
}
