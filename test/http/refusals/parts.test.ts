import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const pod = (spec: JsonObject): JsonObject => ({ spec });
const container = (part: JsonObject): JsonObject => pod({ containers: [{ name: 'c', image: 'i', ...part }] });
const annotated = (name: string, value: string): JsonObject => ({ metadata: { annotations: { [name]: value } } });
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const noLabel = (field: string): string[] => [
  `${field}: Invalid value: "": name part must be non-empty`,
  `${field}: Invalid value: "": ${qualified}`,
];
const measured = (metric: JsonObject): JsonObject => ({ spec: { metrics: [metric] } });
const unknownMetric = (type: string): string =>
  `spec.metrics[0].type: Unsupported value: "${type}": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`;
const armor = 'container.apparmor.security.beta.kubernetes.io';
const mirror = 'kubernetes.io/config.mirror';
const tolerations = 'scheduler.alpha.kubernetes.io/tolerations';
const cost = 'controller.kubernetes.io/pod-deletion-cost';
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const ranges = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** What is wrong with parts that nothing but the part is told of, and in which words. */
const creations: readonly Creation[] = [
  [
    'horizontalpodautoscalers@autoscaling/v2beta2',
    'a measure of pods that wants none',
    measured({ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '0' } } }),
    ['spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive'],
  ],
  [
    'pods',
    'a policy of messages that nobody knows',
    container({ terminationMessagePolicy: 'X' }),
    [`spec.containers[0].terminationMessagePolicy: Invalid value: "X": must be 'File' or 'FallbackToLogsOnError'`],
  ],
  [
    'pods',
    'a profile of no type',
    container({ securityContext: { seccompProfile: {} } }),
    [
      'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
    ],
  ],
  [
    'pods',
    'a gate without a condition',
    pod({ readinessGates: [{}] }),
    noLabel('spec.readinessGates[0].conditionType'),
  ],
  [
    'pods',
    'a spread that does not say what else',
    pod({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a' }] }),
    [
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'pods',
    'a file that nobody may name',
    pod({
      volumes: [
        { name: 'v', downwardAPI: { items: [{ path: '', mode: 4096, fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
    }),
    [
      'spec.volumes[0].downwardAPI.path: Required value',
      'spec.volumes[0].downwardAPI.mode: Invalid value: 4096: must be a number between 0 and 0777 (octal), both inclusive',
    ],
  ],
  [
    'pods',
    'a seccomp profile of nobody',
    annotated(seccomp, 'x'),
    [`metadata.annotations.${seccomp}: Invalid value: "x": must be a valid seccomp profile`],
  ],
  [
    'pods',
    'an AppArmor profile of nobody',
    annotated(`${armor}/none`, 'x'),
    [
      `metadata.annotations[${armor}/none]: Invalid value: "none": container not found`,
      `metadata.annotations[${armor}/none]: Invalid value: "x": invalid AppArmor profile name: "x"`,
    ],
  ],
  [
    'pods',
    'a mirror, tolerations, a cost and profiles that nobody can use',
    {
      metadata: {
        annotations: {
          [`${armor}/none`]: 'runtime/default',
          [seccomp]: 'x',
          [cost]: '1.5',
          [tolerations]: 'x',
          [mirror]: 'h',
        },
      },
    },
    [
      `metadata.annotations[${mirror}]: Invalid value: "h": must set spec.nodeName if mirror pod annotation is set`,
      `metadata.annotations: Invalid value: "${tolerations}": invalid character 'x' looking for beginning of value`,
      `metadata.annotations.${seccomp}: Invalid value: "x": must be a valid seccomp profile`,
      `metadata.annotations[${armor}/none]: Invalid value: "none": container not found`,
      `metadata.annotations[${cost}]: Invalid value: "1.5": must be a 32bit integer`,
    ],
  ],
  [
    'pods',
    'an annotation with tolerations of another type',
    annotated(tolerations, '[{"operator":1}]'),
    [
      `metadata.annotations: Invalid value: "${tolerations}": json: cannot unmarshal number into Go struct field ` +
        'Toleration.Operator of type core.TolerationOperator',
    ],
  ],
  [
    'pods',
    'an annotation with tolerations of nothing',
    annotated(tolerations, '[{"KEY":"a"},{"operator":"Equal"}]'),
    [
      `metadata.annotations.${tolerations}[1].operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, ` +
        'which means "match all values and all keys"',
    ],
  ],
  ...['0', '-05', '2147483647'].map((value): Creation => ['pods', `a cost of ${value}`, annotated(cost, value), []]),
  ...['', '+1', '05', '-', '2147483648'].map(
    (value): Creation => [
      'pods',
      `a cost of '${value}'`,
      annotated(cost, value),
      [`metadata.annotations[${cost}]: Invalid value: "${value}": must be a 32bit integer`],
    ],
  ),
  [
    'podtemplates',
    'a mirror of a pod on no node',
    { template: annotated(mirror, 'h') },
    [`template.annotations[${mirror}]: Invalid value: "h": must set spec.nodeName if mirror pod annotation is set`],
  ],
  [
    'deployments',
    'pods with an AppArmor profile of nobody',
    { spec: { template: annotated(`${armor}/none`, 'runtime/default') } },
    [`spec.template.annotations[${armor}/none]: Invalid value: "none": container not found`],
  ],
  [
    'deployments',
    'a condition that says nothing',
    { spec: { selector: { matchExpressions: [{}] } } },
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
      ...noLabel('spec.selector.matchExpressions[0].key'),
      'spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"","operator":""}]}: ' +
        'invalid label selector',
    ],
  ],
  [
    'services',
    'protocols that are balanced together',
    {
      spec: {
        type: 'LoadBalancer',
        ports: [
          { name: 'a', port: 1, protocol: 'TCP' },
          { name: 'b', port: 1, protocol: 'UDP' },
        ],
      },
    },
    [
      'spec.ports: Invalid value: [{"name":"a","protocol":"TCP","port":1,"targetPort":1},{"name":"b","protocol":"UDP","port":1,"targetPort":1}]: ' +
        "may not contain more than 1 protocol when type is 'LoadBalancer'",
    ],
  ],
  [
    'services',
    'ranges in an annotation',
    annotated(ranges, 'x'),
    [
      `metadata.annotations[${ranges}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
      `metadata.annotations[${ranges}]: Invalid value: "x": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 `,
    ],
  ],
  ['persistentvolumeclaims', 'a source of nobody', { spec: { dataSource: { kind: 'X', name: 'y' } } }, []],
  [
    'pods',
    'a mount of no kind',
    container({ securityContext: { procMount: 'X' } }),
    ['spec.containers[0].securityContext.procMount: Unsupported value: "X": supported values: "Default", "Unmasked"'],
  ],
  ['events', 'a name that is no domain', { metadata: { name: 'A_' } }, []],
  ['nodes', 'an address of no type', { status: { addresses: [{}] } }, []],
  ['csidrivers', 'an audience without a name', { spec: { tokenRequests: [{ audience: '' }] } }, []],
  [
    'horizontalpodautoscalers',
    'a metric of no type',
    measured({}),
    ['spec.metrics[0].type: Required value: must specify a metric source type', unknownMetric('')],
  ],
  [
    'horizontalpodautoscalers',
    'a target of an unknown type',
    measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'X', averageUtilization: 1 } } }),
    ['spec.metrics[0].resource.target.type: Invalid value: "X": must be either Utilization, Value, or AverageValue'],
  ],
  [
    'networkpolicies',
    'an unknown protocol',
    { spec: { ingress: [{ ports: [{ protocol: 'X' }] }] } },
    ['spec.ingress[0].ports[0].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"'],
  ],
  [
    'priorityclasses',
    'an unknown way to make room',
    { preemptionPolicy: 'X' },
    ['preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"'],
  ],
  [
    'ingressclasses',
    'a controller that is too long',
    { spec: { controller: `a.b/${'c'.repeat(250)}` } },
    ['spec.controller: Too long: must have at most 250 bytes'],
  ],
  [
    'flowschemas',
    'paths that are none',
    {
      spec: {
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: '*' } }],
            nonResourceRules: [
              { verbs: ['*'], nonResourceURLs: ['a*b', '', '/', '/a b//', '/a//', '/a*', '/*/*', '/a/*', '/*'] },
              { verbs: ['*'], nonResourceURLs: ['*', 'a'] },
            ],
          },
        ],
      },
    },
    [
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "a*b": must start with slash',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "": must not be empty',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a b//": must not contain white-space',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a//": must not contain double slash',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[5]: Invalid value: "/a*": wildcard can only do suffix matching',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[6]: Invalid value: "/*/*": wildcard can only do suffix matching',
      'spec.rules[0].nonResourceRules[1].nonResourceURLs: Invalid value: ["*","a"]: ' +
        "if '*' is present, must not specify other non-resource URLs",
    ],
  ],
  [
    'prioritylevelconfigurations',
    'no type',
    { spec: { type: null, limited: null } },
    ['spec.type: Unsupported value: "": supported values: "Exempt", "Limited"'],
  ],
  [
    'validatingwebhookconfigurations',
    'a URL with a port that is none',
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { url: 'https://a:x' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    [
      'webhooks[0].clientConfig.url: Required value: url must be a valid URL: ' +
        'parse "https://a:x": invalid port ":x" after host; desired format: https://host[/path]',
    ],
  ],
  [
    'endpointslices',
    'addresses of an unknown type',
    { addressType: 'X', endpoints: [{ addresses: ['1.2.3.4'] }] },
    ['addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
];

const started: JsonObject = {
  metadata: { annotations: { [`${armor}/c`]: 'runtime/default', [mirror]: 'h' } },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
};

/** The annotations by which a node has started a pod. Neither the pod nor its status can change them. */
const keptAnnotations = ['pods', 'pods/status'].flatMap((target): readonly Update[] => [
  [
    target,
    'the annotations of its start',
    started,
    { metadata: { annotations: { [`${armor}/c`]: 'localhost/x', [mirror]: null } } },
    [
      `metadata.annotations[${armor}/c]: Forbidden: may not remove or update AppArmor annotations`,
      `metadata.annotations[${mirror}]: Forbidden: may not remove or update mirror pod annotation`,
    ],
  ],
  [
    target,
    'new annotations of its start',
    { spec: started['spec'] ?? {} },
    { metadata: { annotations: { [`${armor}/c`]: 'unconfined', [mirror]: 'h' } } },
    [
      `metadata.annotations[${armor}/c]: Forbidden: may not add AppArmor annotations`,
      `metadata.annotations[${mirror}]: Forbidden: may not add mirror pod annotation`,
    ],
  ],
  [
    target,
    'its cost',
    {},
    annotated(cost, 'x'),
    [`metadata.annotations[${cost}]: Invalid value: "x": must be a 32bit integer`],
  ],
  [target, 'other annotations', started, { metadata: { annotations: { [cost]: '1' } } }, []],
]);

const updates: readonly Update[] = [
  ...keptAnnotations,
  [
    'pods/status',
    'a seccomp profile of nobody',
    {},
    annotated(seccomp, 'x'),
    [`metadata.annotations.${seccomp}: Invalid value: "x": must be a valid seccomp profile`],
  ],
  ['persistentvolumes/status', 'a phase of nobody', {}, { status: { phase: 'X' } }, []],
  ['persistentvolumeclaims/status', 'a phase of nobody', {}, { status: { phase: 'X' } }, []],
  [
    'persistentvolumeclaims/status',
    'room below none',
    {},
    { status: { capacity: { storage: '-1' } } },
    ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
  ],
  [
    'nodes/status',
    'an address twice',
    {},
    {
      status: {
        addresses: [
          { type: 'a', address: 'b' },
          { type: 'a', address: 'b' },
        ],
      },
    },
    ['status.addresses[1]: Duplicate value: {"type":"a","address":"b"}'],
  ],
  [
    'nodes',
    'the older name of its networks',
    { spec: { podCIDR: '10.0.0.0/24' } },
    { spec: { podCIDR: '10.1.0.0/24' } },
    [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      '[]: Forbidden: node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)',
    ],
  ],
  [
    'pods',
    'a toleration that is none',
    {},
    { spec: { tolerations: [{ key: 'a', operator: 'X' }] } },
    ['spec.tolerations[0].operator: Unsupported value: "X": supported values: "Equal", "Exists"'],
  ],
  [
    'pods',
    'an image in blanks',
    {},
    { spec: { containers: [{ name: 'c', image: ' i ' }] } },
    [
      'spec.containers[0].image: Invalid value: " i ": must not have leading or trailing whitespace',
      // An image without a readable name has another pull policy.
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)',
    ],
  ],
];

checkRefusals('parts', creations, updates);
