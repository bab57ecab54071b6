/** A change of a default role in a release, possibly by a feature. */
interface RoleChange {
  /** The name of a ClusterRole, or `<namespace>/<name>` of a Role. */
  readonly role: string;
  readonly since: string;
  /** The first release without the change. */
  readonly until?: string;
  /** The feature gate of the change. */
  readonly gate?: string;
  /** The removed rules. Added rules take the place of the first one. */
  readonly gone?: readonly string[];
  /** The added rules, which are appended if none is removed. */
  readonly added?: readonly string[];
}

function change(since: string, role: string, rest: Omit<RoleChange, 'since' | 'role'>): RoleChange {
  return { role, since, ...rest };
}

const controller = (name: string): string => `system:controller:${name}`;
const edit = 'system:aggregate-to-edit';
const view = 'system:aggregate-to-view';
const scheduler = 'system:{prefix}scheduler';
/** The controller of this project reads migrations and patches their status. */
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
 * The changes of default roles after release 1.23, in order, with rules in the form of `readRule`.
 * Roles that 1.23 does not have are created here.
 */
export const laterRoleRules: readonly RoleChange[] = [
  change('1.24', edit, { added: ['create core pods/eviction', 'create core serviceaccounts/token'] }),
  change('1.24', edit, { added: ['read,write coordination leases'] }),
  ...['endpointslice-controller', 'endpointslicemirroring-controller'].map((name) =>
    change('1.24', controller(name), { added: ['create discovery endpointslices/restricted'] }),
  ),

  change('1.25', controller('node-controller'), {
    until: '1.30',
    added: ['create,get,list,update networking clustercidrs'],
  }),

  change('1.26', 'system:monitoring', {
    gone: [`get ${probes},/readyz,/readyz/*`],
    added: [`get ${probes},/metrics/slis,/readyz,/readyz/*`],
  }),
  change('1.26', controller('node-controller'), {
    gone: ['update core pods/status'],
    added: ['patch,update core pods/status'],
  }),
  change('1.26', controller('node-controller'), { until: '1.31', gate: disruption, added: ['get core pods'] }),
  change('1.26', controller('disruption-controller'), {
    until: '1.27',
    gate: disruption,
    added: ['patch core pods/status'],
  }),
  change('1.25', controller('pod-garbage-collector'), { gate: disruption, added: ['patch core pods/status'] }),
  change('1.26', 'system:node', { gate: allocation, added: ['get resource resourceclaims'] }),

  change('1.27', 'system:{nodeAgent}-api-admin', {
    gone: ['* core nodes/log,nodes/metrics,nodes/proxy,nodes/spec,nodes/stats'],
    added: ['* core nodes/log,nodes/metrics,nodes/proxy,nodes/stats'],
  }),
  change('1.27', controller('horizontal-pod-autoscaler'), {
    gone: ['get core services/proxy http:heapster:,https:heapster:'],
  }),
  change('1.27', controller('disruption-controller'), { gate: disruption, added: ['patch,update core pods/status'] }),
  change('1.23', controller('statefulset-controller'), {
    until: '1.27',
    gate: 'StatefulSetAutoDeletePVC',
    added: ['update core persistentvolumeclaims'],
  }),
  change('1.27', 'system:cluster-trust-bundle-discovery', {
    gate: 'ClusterTrustBundle',
    added: ['read certificates clustertrustbundles'],
  }),
  change('1.27', 'system:node', { gate: 'ClusterTrustBundle', added: ['read certificates clustertrustbundles'] }),

  change('1.28', 'system:{prefix}controller-manager', {
    gone: ['create core endpoints', 'get,update core endpoints {prefix}controller-manager'],
  }),
  change('1.28', scheduler, { gone: ['create core endpoints', 'get,update core endpoints {prefix}scheduler'] }),
  change('1.28', 'system:service-account-issuer-discovery', {
    gone: ['get /.well-known/openid-configuration,/openid/v1/jwks'],
    added: [
      'get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
    ],
  }),
  change('1.28', controller('statefulset-controller'), {
    gone: ['create,get core persistentvolumeclaims'],
    added: ['create,get,list,watch core persistentvolumeclaims'],
  }),
  change('1.27', controller('statefulset-controller'), {
    gate: 'StatefulSetAutoDeletePVC',
    added: ['delete,update core persistentvolumeclaims'],
  }),
  change('1.28', controller('statefulset-controller'), {
    gate: 'StatefulSetAutoDeletePVC',
    added: ['update core pods/finalizers'],
  }),
  change('1.28', controller('legacy-service-account-token-cleaner'), {
    until: '1.29',
    gate: 'LegacyServiceAccountTokenCleanUp',
    added: ['get core configmaps {prefix}apiserver-legacy-service-account-token-tracking', 'delete core secrets'],
  }),
  change('1.28', controller('validatingadmissionpolicy-status-controller'), {
    gate: 'ValidatingAdmissionPolicy',
    added: [
      'read admissionregistration validatingadmissionpolicies',
      'get,patch,update admissionregistration validatingadmissionpolicies/status',
      'events',
    ],
  }),

  change('1.29', scheduler, { added: ['read storage volumeattachments'] }),
  change('1.29', controller('legacy-service-account-token-cleaner'), {
    gate: 'LegacyServiceAccountTokenCleanUp',
    added: ['get core configmaps {prefix}apiserver-legacy-service-account-token-tracking', 'delete,patch core secrets'],
  }),
  change('1.29', controller('service-cidrs-controller'), {
    gate: 'MultiCIDRServiceAllocator',
    added: [
      'get,list,patch,update,watch networking servicecidrs',
      'patch,update networking servicecidrs/finalizers',
      'patch,update networking servicecidrs/status',
      'read networking ipaddresses',
      'events',
    ],
  }),

  change('1.30', 'system:node-proxier', {
    gate: 'MultiCIDRServiceAllocator',
    added: ['list,watch networking servicecidrs'],
  }),
  change('1.30', 'system:node', { gate: allocation, added: ['deletecollection resource resourceslices'] }),
  change('1.27', controller('storage-version-garbage-collector'), {
    gate: 'StorageVersionAPI',
    added: [
      'read coordination leases',
      'delete,get,list,patch,update,watch internal.apiserver storageversions',
      'get,patch,update internal.apiserver storageversions/status',
    ],
  }),
  change('1.30', controller('storage-version-migrator-controller'), {
    until: '1.35',
    gate: 'StorageVersionMigrator',
    added: ['list,patch * *', ...migrations],
  }),

  ...['{prefix}controller-manager', '{prefix}scheduler'].map((component) =>
    change('1.31', `{prefix}system/system::leader-locking-${component}`, {
      added: [
        'create,get,list,update,watch coordination leases',
        'create,get,list,update,watch coordination leasecandidates',
      ],
    }),
  ),
  change('1.31', controller('node-controller'), {
    gone: ['delete,list core pods'],
    added: ['delete,get,list core pods'],
  }),
  change('1.31', scheduler, {
    gone: ['get,update coordination leases {prefix}scheduler'],
    added: ['get,list,update,watch coordination leases {prefix}scheduler', 'read,write coordination leasecandidates'],
  }),
  change('1.31', scheduler, {
    gate: allocation,
    added: [
      'read resource deviceclasses',
      'get,list,patch,update,watch resource resourceclaims',
      'get,list,patch,update,watch resource resourceclaims/status',
    ],
  }),
  change('1.31', scheduler, {
    until: '1.34',
    gate: allocation,
    added: ['get,list,patch,update,watch core pods/finalizers'],
  }),
  change('1.34', scheduler, { gate: allocation, added: ['update core pods/finalizers'] }),
  change('1.31', scheduler, { gate: allocation, added: ['read resource resourceslices'] }),
  {
    role: controller('resource-claim-controller'),
    since: '1.31',
    gate: allocation,
    added: [
      'read core pods',
      'update core pods/finalizers',
      'create,delete,get,list,watch resource resourceclaims',
      // The controller of this project reads templates.
      'read resource resourceclaimtemplates',
      'patch,update resource resourceclaims,resourceclaims/status',
      'patch,update core pods/status',
      'events',
    ],
  },

  ...watchesSince132(),
  change('1.32', controller('expand-controller'), {
    gone: ['read storage storageclasses', 'get core secrets', 'get core endpoints,services'],
    added: ['get core services'],
  }),
  change('1.32', controller('persistent-volume-binder'), {
    gone: ['create,delete,get,update core endpoints', 'get core secrets', 'create,delete,get core services'],
    added: ['get core services'],
  }),
  change('1.32', controller('volumeattributesclass-protection-controller'), {
    gate: 'VolumeAttributesClass',
    added: [
      'read core persistentvolumeclaims',
      'read core persistentvolumes',
      'get,list,update,watch storage volumeattributesclasses',
      'events',
    ],
  }),
  change('1.32', controller('selinux-warning-controller'), {
    gate: 'SELinuxChangePolicy',
    added: [
      'events',
      'read core persistentvolumes',
      'read core persistentvolumeclaims',
      'read core pods',
      'read storage csidrivers',
    ],
  }),
  change('1.32', controller('{prefix}apiserver-serving-clustertrustbundle-publisher'), {
    gate: 'ClusterTrustBundle',
    added: [
      'attest certificates signers {label}/{prefix}apiserver-serving',
      'create,delete,list,update,watch certificates clustertrustbundles',
      'events',
    ],
  }),
  change('1.32', 'system:{nodeAgent}-api-admin', {
    gate: 'KubeletFineGrainedAuthz',
    added: ['* core nodes/configz,nodes/healthz,nodes/pods'],
  }),
  change('1.32', 'system:monitoring', { until: '1.36', gate: 'ComponentFlagz', added: ['get /flagz'] }),
  change('1.32', 'system:monitoring', { until: '1.36', gate: 'ComponentStatusz', added: ['get /statusz'] }),

  change('1.33', edit, { gate: allocation, added: ['write resource resourceclaims,resourceclaimtemplates'] }),
  change('1.33', view, {
    gate: allocation,
    added: ['read resource resourceclaims,resourceclaims/status,resourceclaimtemplates'],
  }),
  change('1.33', 'system:node', {
    gate: 'KubeletServiceAccountTokenForCredentialProviders',
    added: ['get core serviceaccounts'],
  }),
  change('1.33', scheduler, { until: '1.35', gate: 'DRADeviceTaints', added: ['read resource devicetaintrules'] }),
  change('1.34', scheduler, { gate: 'DRAExtendedResource', added: ['create,delete resource resourceclaims'] }),
  change('1.35', scheduler, { gate: 'DRADeviceTaintRules', added: ['read resource devicetaintrules'] }),
  change('1.33', controller('device-taint-eviction-controller'), {
    gate: 'DRADeviceTaints',
    added: [
      'delete,get,list,watch core pods',
      'patch,update core pods/status',
      'read resource resourceclaims',
      'read resource resourceslices',
      'read resource deviceclasses',
      'events',
    ],
  }),
  change('1.35', controller('device-taint-eviction-controller'), {
    gate: 'DRADeviceTaintRules',
    added: ['read resource devicetaintrules', 'patch,update resource devicetaintrules/status'],
  }),

  change('1.34', 'system:monitoring', { added: ['get core nodes/metrics'] }),
  change('1.34', 'system:node', {
    gate: 'PodCertificateRequest',
    added: ['create,get,list,watch certificates podcertificaterequests'],
  }),
  change('1.34', controller('podcertificaterequestcleaner'), {
    gate: 'PodCertificateRequest',
    added: ['delete,get,list,watch certificates podcertificaterequests'],
  }),

  ...['{prefix}controller-manager', '{prefix}scheduler'].map((component) =>
    change('1.35', `{prefix}system/system::leader-locking-${component}`, {
      gone: ['watch core configmaps', `get,update core configmaps ${component}`],
    }),
  ),
  change('1.35', edit, { gone: [editedOf('events,')], added: [editedOf('')] }),
  change('1.35', edit, { added: ['write core,events events'] }),
  change('1.35', view, { gone: [viewedOf('events,')], added: [viewedOf('')] }),
  change('1.35', view, { added: ['read core,events events'] }),
  change('1.35', 'system:node', { gone: ['create,patch,update core events'], added: ['events'] }),
  change('1.35', scheduler, { until: '1.36', gate: 'GenericWorkload', added: ['read scheduling workloads'] }),
  change('1.35', controller('storage-version-migrator-controller'), {
    gate: 'StorageVersionMigrator',
    added: [
      'create,list,patch * *',
      'get apiextensions customresourcedefinitions',
      'patch apiextensions customresourcedefinitions/status',
      ...migrations,
    ],
  }),

  change('1.36', 'system:monitoring', {
    gone: [`get ${probes},/metrics/slis,/readyz,/readyz/*`],
    added: [`get /flagz,${probes},/metrics/slis,/readyz,/readyz/*,/statusz`],
  }),
  change('1.36', controller('expand-controller'), { gone: ['get core services'] }),
  change('1.36', controller('persistent-volume-binder'), { gone: ['get core services'] }),
  change('1.36', controller('pvc-protection-controller'), { added: ['update core persistentvolumeclaims/status'] }),
  ...[controller('resource-claim-controller'), scheduler].map((role) =>
    change('1.36', role, {
      gate: 'DRAResourceClaimGranularStatusAuthorization',
      added: ['patch,update resource resourceclaims/binding'],
    }),
  ),
  change('1.36', controller('selinux-warning-controller'), {
    gate: 'SELinuxChangePolicy',
    added: ['create core configmaps', 'patch core configmaps selinux-conflicts'],
  }),
  change('1.36', edit, { gate: 'GenericWorkload', added: ['write scheduling podgroups,workloads'] }),
  change('1.36', view, { gate: 'GenericWorkload', added: ['read scheduling podgroups,podgroups/status,workloads'] }),
  change('1.36', scheduler, {
    gate: 'GenericWorkload',
    added: ['read scheduling podgroups', 'patch,update scheduling podgroups/status'],
  }),
  change('1.36', controller('podgroup-protection-controller'), {
    gate: 'GenericWorkload',
    added: ['get,list,update,watch scheduling podgroups', 'read core pods'],
  }),
  change('1.36', controller('resourcepoolstatusrequest-controller'), {
    gate: 'DRAResourcePoolStatus',
    added: [
      'delete,get,list,watch resource resourcepoolstatusrequests',
      'patch,update resource resourcepoolstatusrequests/status',
      'read resource resourceslices',
      'read resource resourceclaims',
      'events',
    ],
  }),
  change('1.36', controller('job-controller'), {
    gate: 'WorkloadWithJob',
    added: ['create,get,list,watch scheduling podgroups,workloads'],
  }),
];

/**
 * The watch rights that controllers got in 1.32 for what they list, because informers stream lists.
 */
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
  return rules.map(([account, before, after]) =>
    change('1.32', controller(account), { gone: [before], added: [after] }),
  );
}
