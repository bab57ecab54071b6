import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const spec = (change: JsonObject): JsonObject => ({ spec: change });
const limit = (change: JsonObject): JsonObject => ({ spec: { limits: [change] } });
const hook = (change: JsonObject): JsonObject => ({
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://example.com/hook' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...change,
    },
  ],
});
const client = (clientConfig: JsonObject): JsonObject => hook({ clientConfig });
const rule = (change: JsonObject): JsonObject =>
  hook({ rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], ...change }] });
const taints = (...list: JsonObject[]): JsonObject => ({ spec: { taints: list } });
const subset = (change: JsonObject): JsonObject => ({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ...change }] });
const slice = (addressType: string, address: string): JsonObject => ({
  addressType,
  endpoints: [{ addresses: [address] }],
});
const flow = (change: JsonObject): JsonObject => ({
  spec: {
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'u' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        ...change,
      },
    ],
  },
});
const queue = (queuing: JsonObject): JsonObject => ({
  spec: { limited: { limitResponse: { type: 'Queue', queuing } } },
});
const form = '; desired format: https://host[/path]';
const group = 'rbac.authorization.k8s.io';

const creations: readonly Creation[] = [
  [
    'nodes',
    'taints that repeat or are none',
    taints(
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoSchedule' },
      { key: '', value: ' ', effect: 'Go' },
    ),
    [
      'metadata.taints[1]: Duplicate value: {"key":"a","effect":"NoSchedule"}: taints must be unique by key and effect pair',
      'metadata.taints[2].key: Invalid value: "": name part must be non-empty',
      "metadata.taints[2].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "metadata.taints[2].value: Invalid value: \" \": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'metadata.taints[2].effect: Unsupported value: "Go": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'nodes',
    'networks of one family',
    spec({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] }),
    [
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
    ],
  ],
  ['nodes', 'a network of each family', spec({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }), []],
  [
    'nodes',
    'a network that is none',
    spec({ podCIDRs: ['10.0.0.0'] }),
    ['spec.podCIDRs[0]: Invalid value: ["10.0.0.0"]: must be valid CIDR'],
  ],
  ['serviceaccounts', 'secrets without names, which nobody checks', { secrets: [{}], imagePullSecrets: [{}] }, []],
  [
    'endpoints',
    'an address that is none',
    subset({ addresses: [{ ip: 'x', nodeName: 'N' }] }),
    [
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "subsets[0].addresses[0].nodeName: Invalid value: \"N\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
    ],
  ],
  [
    'endpoints',
    'two ports without names, of an unknown protocol',
    subset({ ports: [{ port: 1, protocol: 'ICMP' }, { port: 0 }] }),
    [
      'subsets[0].ports[0].name: Required value',
      'subsets[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      'subsets[0].ports[1].name: Required value',
      'subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'endpointslices',
    'an address of another family',
    slice('IPv4', 'fd00::1'),
    ['endpoints[0].addresses[0]: Invalid value: "fd00::1": must be a valid IPv4 address'],
  ],
  [
    'endpointslices',
    'an address of every machine',
    slice('IPv4', '127.0.0.1'),
    ['endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'endpointslices',
    'a name of one label',
    slice('FQDN', 'host'),
    [
      'endpoints[0].addresses[0]: Invalid value: "host": should be a domain with at least two segments separated by dots',
    ],
  ],
  [
    'limitranges',
    'a limit twice, of an unknown type, about nothing known',
    { spec: { limits: [{ type: 'Thing' }, { type: 'Pod', max: { foo: '1' } }, { type: 'Pod' }] } },
    [
      'spec.limits[0].type: Invalid value: "Thing": must be a standard limit type or fully qualified',
      'spec.limits[1].max[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.limits[1].max[foo]: Invalid value: "foo": must be a standard resource for containers',
      'spec.limits[2].type: Duplicate value: "Pod"',
    ],
  ],
  [
    'limitranges',
    'amounts in the wrong order',
    limit({
      type: 'Container',
      max: { cpu: '1' },
      min: { cpu: '2' },
      default: { cpu: '3' },
      defaultRequest: { cpu: '4' },
    }),
    [
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "4": default request value 4 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "4": default request value 4 is greater than default limit value 3',
      'spec.limits[0].default[cpu]: Invalid value: "1": default value 3 is greater than max value 1',
    ],
  ],
  [
    'limitranges',
    'a ratio that its bounds forbid',
    limit({ type: 'Pod', max: { cpu: '4' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '10', memory: '500m' } }),
    [
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "10": ratio 10 is greater than max/min = 4.000000',
      'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "500m": ratio 500m is less than 1',
    ],
  ],
  [
    'limitranges',
    'claims of any size',
    limit({ type: 'PersistentVolumeClaim' }),
    [
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ],
  [
    'resourcequotas',
    'something that nobody counts',
    spec({ hard: { foo: '1' } }),
    [
      'spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
    ],
  ],
  [
    'resourcequotas',
    'a scope that nobody knows',
    spec({ scopes: ['Big'] }),
    ['spec.scopes: Invalid value: ["Big"]: unsupported scope'],
  ],
  [
    'resourcequotas',
    'a selector that says nothing',
    spec({
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'PriorityClass', operator: 'In' },
          { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
          { scopeName: 'Terminating', operator: 'DoesNotExist' },
        ],
      },
    }),
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "DoesNotExist": must be \'Exist\' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
    ],
  ],
  [
    'services',
    'an endless affinity',
    spec({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } }),
    [
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
    ],
  ],
  [
    'services',
    'the port of every node behind a balancer',
    spec({ type: 'LoadBalancer', ports: [{ port: 10_250 }] }),
    ['spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet'],
  ],
  [
    'services',
    'an address of its own and a name of another',
    spec({ type: 'ExternalName', ports: null, externalName: 'a.b', clusterIP: '10.0.0.9' }),
    ['spec.clusterIPs: Forbidden: may not be set for ExternalName services'],
  ],
  [
    'services',
    'an outside name that is none, and no ports',
    spec({ type: 'ExternalName', ports: null }),
    ['spec.externalName: Required value'],
  ],
  [
    'services',
    'a port twice',
    spec({
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 80 },
      ],
    }),
    ['spec.ports[1]: Duplicate value: {"protocol":"TCP","port":80}'],
  ],
  [
    'clusterroles',
    'rules about nothing',
    { rules: [{ verbs: [] }, { verbs: ['get'], nonResourceURLs: ['/a'], resources: ['pods'] }], aggregationRule: {} },
    [
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
      'rules[1].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
  ],
  [
    'rolebindings',
    'subjects that are nobody',
    {
      roleRef: { apiGroup: 'x', kind: 'Thing', name: '' },
      subjects: [{ kind: 'Robot' }, { kind: 'ServiceAccount', name: 'A', apiGroup: 'x' }, { kind: 'User', name: 'u' }],
    },
    [
      `roleRef.apiGroup: Unsupported value: "x": supported values: "${group}"`,
      'roleRef.kind: Unsupported value: "Thing": supported values: "Role", "ClusterRole"',
      'roleRef.name: Required value',
      'subjects[0].name: Required value',
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
      "subjects[1].name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'subjects[1].apiGroup: Unsupported value: "x": supported values: ""',
    ],
  ],
  [
    'clusterrolebindings',
    'an account of no namespace',
    { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
    ['subjects[0].namespace: Required value'],
  ],
  [
    'priorityclasses',
    'a name of the system',
    { metadata: { name: 'system-mine' } },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  ['priorityclasses', 'an empty policy', { preemptionPolicy: '' }, ['preemptionPolicy: Required value']],
  [
    'priorityclasses',
    'a value of the system',
    { value: 1_000_000_001 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    'validatingwebhookconfigurations',
    'a short name, and neither effects nor versions',
    hook({ name: 'a.b', sideEffects: 'Some', admissionReviewVersions: ['v2'], timeoutSeconds: 31 }),
    [
      'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
  ],
  [
    'mutatingwebhookconfigurations',
    'a URL that is not allowed',
    client({ url: 'http://u:p@example.com/a?b#c' }),
    [
      `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`,
      'webhooks[0].clientConfig.url: Invalid value: "": user information is not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "c": fragments are not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "b": query parameters are not permitted in the URL',
    ],
  ],
  [
    'mutatingwebhookconfigurations',
    'a URL of nowhere',
    client({ url: 'hook' }),
    [
      `webhooks[0].clientConfig.url: Invalid value: "": 'https' is the only allowed URL scheme${form}`,
      `webhooks[0].clientConfig.url: Invalid value: "": host must be provided${form}`,
    ],
  ],
  [
    'mutatingwebhookconfigurations',
    'a service without names, with empty segments',
    client({ service: { name: '', namespace: '', path: '/a//b/', port: 0 } }),
    [
      'webhooks[0].clientConfig.service.name: Required value: service name is required',
      'webhooks[0].clientConfig.service.namespace: Required value: service namespace is required',
      'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      'webhooks[0].clientConfig.service.path: Invalid value: "/a//b/": segment[1] may not be empty',
    ],
  ],
  [
    'mutatingwebhookconfigurations',
    'rules that say more than all',
    rule({ operations: ['*', 'CREATE'], apiGroups: ['*', ''], apiVersions: ['*', 'v1'], resources: ['*', 'pods'] }),
    [
      'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if \'*\' is present, must not specify other operations',
      'webhooks[0].rules[0].apiGroups: Invalid value: ["*",""]: if \'*\' is present, must not specify other API groups',
      'webhooks[0].rules[0].apiVersions: Invalid value: ["*","v1"]: if \'*\' is present, must not specify other API versions',
      'webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
    ],
  ],
  [
    'mutatingwebhookconfigurations',
    'sub-resources said twice',
    rule({ resources: ['pods/*', 'pods/status', '*/scale', 'deployments/scale'] }),
    [
      'webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status',
      'webhooks[0].rules[0].resources[3]: Invalid value: "deployments/scale": if \'*/scale\' is present, must not specify deployments/scale',
    ],
  ],
  [
    'networkpolicies',
    'a type that nobody knows',
    spec({ policyTypes: ['Sideways'] }),
    ['spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
  ],
  [
    'flowschemas',
    'a precedence of the system',
    spec({ matchingPrecedence: 1 }),
    ["spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1"],
  ],
  [
    'flowschemas',
    'subjects of two kinds, and rules about nothing',
    flow({
      subjects: [{ kind: 'User', user: { name: '' }, group: { name: 'g' } }, { kind: 'Group' }],
      nonResourceRules: [{ verbs: ['dance'], nonResourceURLs: [] }],
    }),
    [
      'spec.rules[0].subjects[0].user.name: Required value',
      "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      "spec.rules[0].subjects[1].group: Required value: group is required when subject kind is 'Group'",
      'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["dance"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
    ],
  ],
  [
    'flowschemas',
    'resources of no namespace',
    flow({ nonResourceRules: [], resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] }),
    [
      'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
    ],
  ],
  [
    'prioritylevelconfigurations',
    'queues that are too few',
    queue({ queues: 2, handSize: 3, queueLengthLimit: -1 }),
    [
      'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 3: should not be greater than queues (2)',
    ],
  ],
  [
    'prioritylevelconfigurations',
    'a hand of more queues than a hash can choose',
    queue({ queues: 64, handSize: 11 }),
    [
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 11: ' +
        'required entropy bits of deckSize 64 and handSize 11 should not be greater than 60',
    ],
  ],
  ['prioritylevelconfigurations', 'the largest hand', queue({ queues: 64, handSize: 10 }), []],
  [
    'prioritylevelconfigurations',
    'a level that is never held up',
    { spec: { type: 'Exempt', limited: null } },
    ["spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'"],
  ],
];

const updates: readonly Update[] = [
  [
    'nodes',
    'what it was given',
    spec({ podCIDRs: ['10.0.0.0/24'], providerID: 'a' }),
    spec({ podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24'], providerID: 'b' }),
    [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      '[]: Forbidden: node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)',
    ],
  ],
  ['nodes', 'its taints', {}, taints({ key: 'a', effect: 'NoSchedule' }), []],
  [
    'nodes',
    'where it reads its settings',
    {},
    spec({ configSource: { configMap: { name: 'n', namespace: 'ns', kubeletConfigKey: '', uid: 'u' } } }),
    [
      'spec.configSource.configMap.uid: Forbidden: uid must not be set in spec',
      'spec.configSource.configMap.kubeletConfigKey: Required value',
    ],
  ],
  [
    'rolebindings',
    'its role',
    {},
    { roleRef: { name: 'edit' } },
    [`roleRef: Invalid value: {"apiGroup":"${group}","kind":"ClusterRole","name":"edit"}: cannot change roleRef`],
  ],
  [
    'priorityclasses',
    'its value and policy',
    {},
    { value: 11, preemptionPolicy: 'Never' },
    [
      'Value: Forbidden: may not be changed in an update.',
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ],
  ],
  [
    'resourcequotas',
    'what it counts',
    spec({ scopes: ['NotTerminating'] }),
    spec({ scopes: ['Terminating'] }),
    ['spec.scopes: Invalid value: ["Terminating"]: field is immutable'],
  ],
  [
    'endpointslices',
    'its type',
    {},
    slice('IPv6', 'fd00::1'),
    ['addressType: Invalid value: "IPv6": field is immutable'],
  ],
  [
    'services',
    'its address',
    {},
    spec({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }),
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.1"]: may not change once set'],
  ],
  [
    'services',
    'its address and a type that does not exist',
    {},
    spec({ type: 'Proxy' }),
    [
      'spec.type: Unsupported value: "Proxy": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
];

checkRefusals('kinds of the cluster', creations, updates);
