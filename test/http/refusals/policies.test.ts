import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const spec = (change: JsonObject): JsonObject => ({ spec: change });
const annotations = (change: JsonObject): JsonObject => ({ metadata: { annotations: change } });
const aggregation = (...clusterRoleSelectors: JsonObject[]): JsonObject => ({
  aggregationRule: { clusterRoleSelectors },
});
const toleration = (change: JsonObject): JsonObject => ({ scheduling: { tolerations: [change] } });
const unread = 'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.';
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with " +
  "an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const [armor, seccomp] = ['apparmor.security.beta.kubernetes.io', 'seccomp.security.alpha.kubernetes.io'];
const sysctlForm =
  'must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]';
const allowedNames = 'spec.runtimeClass.allowedRuntimeClassNames';
const unknownType = 'spec.policyTypes[0]: Unsupported value: "x": supported values: "Ingress", "Egress"';
const noReplicas = [
  'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
];

const creations: readonly Creation[] = [
  [
    'podsecuritypolicies',
    'capabilities that are given and taken',
    spec({ requiredDropCapabilities: ['a', 'b'], defaultAddCapabilities: ['b'], allowedCapabilities: ['a', '*'] }),
    [
      'requiredDropCapabilities: Invalid value: ["a","b"]: must be empty when all capabilities are allowed by a wildcard',
      'defaultAddCapabilities: Invalid value: "b": capability is listed in defaultAddCapabilities and requiredDropCapabilities',
      'allowedCapabilities: Invalid value: "a": capability is listed in allowedCapabilities and requiredDropCapabilities',
    ],
  ],
  [
    'podsecuritypolicies',
    'a volume that is none',
    spec({ volumes: ['*', 'ephemeral', 'zz'] }),
    [
      'spec.volumes: Unsupported value: "zz": supported values: "*", "awsElasticBlockStore", "azureDisk", "azureFile", "cephFS", ' +
        '"cinder", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "fc", "flexVolume", "flocker", ' +
        '"gcePersistentDisk", "gitRepo", "glusterfs", "hostPath", "iscsi", "nfs", "persistentVolumeClaim", ' +
        '"photonPersistentDisk", "portworxVolume", "projected", "quobyte", "rbd", "scaleIO", "secret", "storageos", ' +
        '"vsphereVolume"',
    ],
  ],
  [
    'podsecuritypolicies',
    'rules that are none, and ranges of nobody',
    spec({
      runAsUser: { rule: 'MustRunAs', ranges: [{ min: -1, max: -2 }] },
      runAsGroup: { rule: 'MayRunAs' },
      fsGroup: { rule: 'RunAsAny', ranges: [{ min: 5, max: 1 }] },
    }),
    [
      'spec.runAsUser.ranges[0].min: Invalid value: -1: min cannot be negative',
      'spec.runAsUser.ranges[0].max: Invalid value: -2: max cannot be negative',
      'spec.runAsUser.ranges[0].min: Invalid value: -1: min cannot be greater than max',
      'spec.runAsGroup.ranges: Invalid value: []: must provide at least one range',
      'spec.fsGroup.ranges[0].min: Invalid value: 5: min cannot be greater than max',
    ],
  ],
  [
    'podsecuritypolicies',
    'groups without a rule',
    spec({ runAsGroup: {} }),
    ['spec.runAsGroup.rule: Unsupported value: "": supported values: "MustRunAs", "RunAsAny", "MayRunAs"'],
  ],
  [
    'podsecuritypolicies',
    'paths and drivers without names',
    spec({
      allowPrivilegeEscalation: false,
      defaultAllowPrivilegeEscalation: true,
      allowedHostPaths: [{ pathPrefix: 'a/..' }, { pathPrefix: 'a..b' }, {}, { pathPrefix: 'b/..' }, {}],
      allowedFlexVolumes: [{}],
      allowedCSIDrivers: [{ name: 'a b' }],
    }),
    [
      'spec.defaultAllowPrivilegeEscalation: Invalid value: true: Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true',
      'spec.allowedHostPaths[0]: Invalid value: "a/..": must not contain \'..\'',
      'spec.allowedHostPaths[2]: Required value: is required',
      'spec.allowedFlexVolumes.allowedFlexVolumes[0].driver: Required value: must specify a driver',
      `spec.allowedCSIDrivers.allowedCSIDriver[0].name: Invalid value: "a b": ${subdomain}`,
    ],
  ],
  [
    'podsecuritypolicies',
    'sysctls that are none',
    spec({ allowedUnsafeSysctls: ['!', ''], forbiddenSysctls: ['*', 'b'] }),
    [
      `spec.allowedUnsafeSysctls[0]: Invalid value: "!": ${sysctlForm}`,
      'spec.allowedUnsafeSysctls[1]: Invalid value: "": empty sysctl not allowed',
      "spec.forbiddenSysctls.items: Forbidden: if '*' is present, must not specify other sysctls",
      'spec.allowedUnsafeSysctls[0]: Invalid value: "!": sysctl overlaps with *',
      'spec.allowedUnsafeSysctls[1]: Invalid value: "": sysctl overlaps with *',
    ],
  ],
  [
    'podsecuritypolicies',
    'sysctls that are allowed and forbidden',
    spec({
      allowedUnsafeSysctls: ['same', 'same.*', 'wide.*', 'under.a.b', 'apart'],
      forbiddenSysctls: ['under.*', 'wide.a.*', 'same.*', 'same', 'wide.b', 'apart.*'],
    }),
    [
      'spec.allowedUnsafeSysctls[0]: Invalid value: "same": sysctl overlaps with same',
      'spec.allowedUnsafeSysctls[1]: Invalid value: "same.*": sysctl overlaps with same.*',
      'spec.forbiddenSysctls[1]: Invalid value: "wide.a.*": sysctl overlaps with wide.*',
      'spec.forbiddenSysctls[4]: Invalid value: "wide.b": sysctl overlaps with wide.*',
      'spec.allowedUnsafeSysctls[3]: Invalid value: "under.a.b": sysctl overlaps with under.*',
    ],
  ],
  [
    'podsecuritypolicies',
    'runtime classes of which the usual one is none',
    spec({ runtimeClass: { allowedRuntimeClassNames: ['a', 'a'], defaultRuntimeClassName: '' } }),
    [
      `${allowedNames}[1]: Duplicate value: "a"`,
      `spec.runtimeClass.defaultRuntimeClassName: Invalid value: "": ${subdomain}`,
      `${allowedNames}: Required value: default "" must be allowed`,
    ],
  ],
  [
    'podsecuritypolicies',
    'all runtime classes and one more',
    spec({ runtimeClass: { allowedRuntimeClassNames: ['*', 'a'], defaultRuntimeClassName: 'b' } }),
    [`${allowedNames}: Invalid value: ["*","a"]: if '*' is present, must not specify other RuntimeClass names`],
  ],
  [
    'podsecuritypolicies',
    'profiles that are none',
    annotations({
      [`${armor}/defaultProfileName`]: 'zz',
      [`${armor}/allowedProfileNames`]: 'yy,runtime/default',
      [`${seccomp}/defaultProfileName`]: 'localhost/../a',
      [`${seccomp}/allowedProfileNames`]: 'zz,*',
    }),
    [
      `metadata.annotations[${armor}/defaultProfileName]: Invalid value: "zz": invalid AppArmor profile name: "zz"`,
      `metadata.annotations[${armor}/allowedProfileNames]: Invalid value: "yy,runtime/default": invalid AppArmor profile name: "yy"`,
      `metadata.annotations[${seccomp}/defaultProfileName]: Invalid value: "../a": must not contain '..'`,
      `metadata.annotations[${seccomp}/allowedProfileNames]: Invalid value: "zz": must be a valid seccomp profile`,
    ],
  ],
  [
    'runtimeclasses',
    'a toleration of nobody knows what',
    toleration({ key: 'k', operator: 'x', effect: 'y' }),
    [
      'scheduling.tolerations.tolerations[0].operator: Unsupported value: "x": supported values: "Equal", "Exists"',
      'scheduling.tolerations.tolerations[0].effect: Unsupported value: "y": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'runtimeclasses',
    'a toleration twice, for another time',
    {
      scheduling: {
        tolerations: [1, 2].map((tolerationSeconds) => ({
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds,
        })),
      },
    },
    ['scheduling.tolerations[1]: Duplicate value: {"operator":"Exists","effect":"NoExecute","tolerationSeconds":2}'],
  ],
  [
    'clusterroles',
    'a selector that is none',
    aggregation({ matchExpressions: [{ key: 'a', operator: 'x' }] }),
    [
      'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "x": not a valid selector operator',
      unread,
    ],
  ],
  [
    'clusterroles',
    'a selector of values that no label has',
    aggregation({ matchExpressions: [{ key: 'a', operator: 'In', values: ['a b'] }] }),
    [unread],
  ],
  ['horizontalpodautoscalers', 'no pods, and nothing to wake them', spec({ minReplicas: 0 }), noReplicas],
  [
    'horizontalpodautoscalers@autoscaling/v2beta2',
    'fewer pods than none',
    spec({
      minReplicas: -1,
      metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }],
    }),
    ['spec.minReplicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'apiservices',
    'no version',
    { metadata: { name: '.example.com' }, spec: { version: null } },
    [`spec.version: Invalid value: "": ${label}`],
  ],
  [
    'apiservices',
    'a port that is none',
    {
      metadata: { name: 'v1.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        service: { namespace: 'a', name: 'b', port: 70_000 },
        groupPriorityMinimum: 1,
        versionPriority: 1,
      },
    },
    ['spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive'],
  ],
  [
    'apiservices',
    'the group without a name in a version that it does not have',
    { metadata: { name: 'v2.' }, spec: { group: '', version: 'v2' } },
    ['spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
  ],
  [
    'endpointslices',
    'a domain that is none',
    { addressType: 'FQDN', endpoints: [{ addresses: ['fd00::1'] }] },
    [`endpoints[0].addresses[0]: Invalid value: "fd00::1": ${subdomain}`],
  ],
  [
    'endpointslices@discovery.k8s.io/v1beta1',
    'a place that is no label',
    { endpoints: [{ addresses: ['1.2.3.4'], topology: { a: '-' } }] },
    [`endpoints[0].topology: Invalid value: "-": ${labelValue}`],
  ],
  [
    'flowschemas',
    'a subject of no kind',
    spec({
      rules: [
        {
          subjects: [{ group: {}, serviceAccount: {} }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    }),
    ['spec.rules[0].subjects[0].kind: Unsupported value: "": supported values: "Group", "ServiceAccount", "User"'],
  ],
  [
    'prioritylevelconfigurations@flowcontrol.apiserver.k8s.io/v1beta1',
    'no response to what is too much',
    { spec: { limited: { limitResponse: null } } },
    ['spec.limited.limitResponse.type: Unsupported value: "": supported values: "Queue", "Reject"'],
  ],
  [
    'validatingwebhookconfigurations',
    'authorities that nobody can read',
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { url: 'https://a.b', caBundle: 'aGk=' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    [],
  ],
  [
    'endpointslices',
    'ports of all numbers, which nobody checks',
    { ports: [{ name: 'a', port: 0 }, { port: 70_000 }] },
    [],
  ],
];

const updates: readonly Update[] = [
  [
    'networkpolicies',
    'a block of nothing, without its exceptions',
    {},
    { spec: { egress: [{ to: [{ ipBlock: { except: ['10.0.0.1'] } }] }] } },
    ['spec.egress[0].to[0].ipBlock.cidr: Required value'],
  ],
  [
    'apiservices/status',
    'a condition of no state',
    {},
    { status: { conditions: [{ type: 'Available' }] } },
    ['status.conditions[0].status: Unsupported value: "": supported values: "True", "False", "Unknown"'],
  ],
  [
    'prioritylevelconfigurations/status',
    'conditions without a type',
    {},
    { status: { conditions: [{}, {}] } },
    [
      'status.conditions[0].type: Required value: must not be empty',
      'status.conditions[1].type: Duplicate value: ""',
      'status.conditions[1].type: Required value: must not be empty',
    ],
  ],
  [
    'priorityclasses',
    'its policy, to one that is none',
    {},
    { preemptionPolicy: 'x' },
    ['preemptionPolicy: Invalid value: "x": field is immutable'],
  ],
  ['networkpolicies', 'its types, to one that is none', {}, spec({ policyTypes: ['x'] }), [unknownType]],
  [
    'networkpolicies',
    'its types, to too many',
    {},
    spec({ policyTypes: ['x', 'Egress', 'Ingress'] }),
    ['spec.policyTypes: Invalid value: ["x","Egress","Ingress"]: may not specify more than two policyTypes'],
  ],
];

checkRefusals('policies and what they select', creations, updates);
