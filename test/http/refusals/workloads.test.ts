import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const spec = (change: JsonObject): JsonObject => ({ spec: change });
const pod = (change: JsonObject): JsonObject => ({ spec: { template: { spec: change } } });
const mismatch =
  'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`';
const empty = (kind: string): string => `spec.selector: Invalid value: {}: empty selector is invalid for ${kind}`;
const other = { selector: { matchLabels: { app: 'b' } } };
const kept = `spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable`;
const disk = { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'd' } }] };
const readOnly =
  'spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: ' +
  'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
const policy = (supported: string): string =>
  `spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: ${supported}`;

const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

const unknownPolicy = (supported: string): string =>
  `spec.template.spec.restartPolicy: Unsupported value: "x": supported values: ${supported}`;
const allPolicies = unknownPolicy('"Always", "OnFailure", "Never"');
const unread =
  'spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"a","operator":"In","values":["a b"]}]}';
const unreadSelector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['a b'] }] };

const unavailable = 'spec.updateStrategy.rollingUpdate.maxUnavailable';
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const creations: readonly Creation[] = [
  [
    'deployments',
    'a restart policy that is none',
    pod({ restartPolicy: 'x' }),
    [allPolicies, unknownPolicy('"Always"')],
  ],
  [
    'daemonsets',
    'a restart policy that is none',
    pod({ restartPolicy: 'x' }),
    [allPolicies, unknownPolicy('"Always"')],
  ],
  ['statefulsets', 'a restart policy that is none', pod({ restartPolicy: 'x' }), [unknownPolicy('"Always"')]],
  [
    'deployments',
    'an empty preemption policy',
    pod({ preemptionPolicy: '' }),
    ['spec.template.spec.preemptionPolicy: Required value'],
  ],
  [
    'jobs',
    'a restart policy that is none',
    pod({ restartPolicy: 'x' }),
    [allPolicies, unknownPolicy('"OnFailure", "Never"')],
  ],
  [
    'replicasets',
    'a selector that cannot be read, and no template',
    spec({ selector: unreadSelector, template: null }),
    [`${unread}: invalid label selector`, 'spec.template.spec.containers: Required value'],
  ],
  [
    'deployments',
    'a selector that cannot be read, and no template',
    spec({ selector: unreadSelector, template: null }),
    [`${unread}: invalid label selector`, 'spec.template.spec.containers: Required value'],
  ],
  ['statefulsets', 'a selector that cannot be read', spec({ selector: unreadSelector }), [unread]],
  ['deployments', 'a selector of all pods', spec({ selector: { matchLabels: null } }), [empty('deployment')]],
  ['replicasets', 'a selector of all pods', spec({ selector: { matchLabels: null } }), [empty('deployment')]],
  [
    'daemonsets',
    'pods that are replaced in no number',
    spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 'x' } } }),
    [
      `${unavailable}: Invalid value: "x": ${percent}`,
      `${unavailable}: Required value: cannot be 0 when maxSurge is 0`,
    ],
  ],
  [
    'daemonsets',
    'pods that are replaced in a number that is a text',
    spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '5' } } }),
    [`${unavailable}: Invalid value: "5": ${percent}`],
  ],
  ['daemonsets', 'a selector of all pods', spec({ selector: { matchLabels: null } }), [empty('daemonset')]],
  ['statefulsets', 'a selector of all pods', spec({ selector: { matchLabels: null } }), [empty('statefulset')]],
  ['deployments', 'a selector of other pods', spec(other), [mismatch]],
  [
    'deployments',
    'pods that end',
    pod({ restartPolicy: 'Never', activeDeadlineSeconds: 5 }),
    [
      policy('"Always"'),
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ],
  ],
  ['deployments', 'a disk that many write', { spec: { replicas: 2, template: { spec: disk } } }, [readOnly]],
  ['deployments', 'a disk that one writes', { spec: { replicas: 1, template: { spec: disk } } }, []],
  [
    'deployments',
    'numbers below none',
    spec({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
    [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
    ],
  ],
  [
    'statefulsets',
    'a mount of a volume that its claims give',
    {
      spec: {
        template: {
          spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
        },
        volumeClaimTemplates: [claimTemplate],
      },
    },
    [],
  ],
  ['statefulsets', 'a negative limit of revisions, which is not checked', spec({ revisionHistoryLimit: -1 }), []],
  ['statefulsets', 'pods that end', pod({ restartPolicy: 'Never' }), [policy('"Always"')]],
  [
    'replicationcontrollers',
    'neither selector nor template',
    spec({ template: null, selector: null }),
    ['spec.selector: Required value', 'spec.template: Required value'],
  ],
  ['replicationcontrollers', 'a selector of other pods', spec({ selector: { app: 'b' } }), [mismatch]],
  [
    'jobs',
    'pods that start again, and numbers below none',
    { spec: { parallelism: -1, backoffLimit: -1, template: { spec: { restartPolicy: 'Always' } } } },
    [
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
  ],
  [
    'jobs',
    'an index without end',
    spec({ completionMode: 'Indexed', parallelism: 100_001 }),
    [
      'spec.completions: Required value: when completion mode is Indexed',
      'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    ],
  ],
  [
    'jobs',
    'a selector of its own',
    spec({ selector: { matchLabels: { app: 'b' } }, manualSelector: true }),
    [mismatch],
  ],
  [
    'cronjobs',
    'runs that choose their pods',
    { spec: { jobTemplate: { spec: { selector: { matchLabels: { app: 'b' } }, manualSelector: true } } } },
    [
      `spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: \`selector\` will be auto-generated`,
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
  ],
  ['cronjobs', 'no schedule', spec({ schedule: '' }), ['spec.schedule: Required value']],
  ...(
    [
      ['* * *', 'Expected exactly 5 fields, found 3: * * *'],
      ['60 * * * *', 'End of range (60) above maximum (59): 60'],
      ['0 0 0 * *', 'Beginning of range (0) below minimum (1): 0'],
      ['5-1 * * * *', 'Beginning of range (5) beyond end of range (1): 5-1'],
      ['*/0 * * * *', 'Step of range should be a positive number: */0'],
      ['1-2-3 * * * *', 'Too many hyphens: 1-2-3'],
      ['*/1/2 * * * *', 'Too many slashes: */1/2'],
      ['x * * * *', 'Failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
      ['@sometimes', 'Unrecognized descriptor: @sometimes'],
      ['TZ=Nowhere/Land 0 0 * * *', 'provided bad location Nowhere/Land: unknown time zone Nowhere/Land'],
      ['CRON_TZ=+01:00 0 0 * * *', 'provided bad location +01:00: unknown time zone +01:00'],
    ] as const
  ).map(
    ([schedule, why]): Creation => [
      'cronjobs',
      `the schedule ${schedule}`,
      spec({ schedule }),
      [`spec.schedule: Invalid value: "${schedule}": ${why}`],
    ],
  ),
  [
    'cronjobs',
    'an unknown policy and numbers below none',
    spec({ concurrencyPolicy: 'Maybe', startingDeadlineSeconds: -1, failedJobsHistoryLimit: -1 }),
    [
      'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"',
      'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'horizontalpodautoscalers',
    'a direction with no policies',
    spec({ behavior: { scaleUp: { policies: [] } } }),
    ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
  ],
  [
    'horizontalpodautoscalers',
    'a behaviour that leads nowhere',
    spec({
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 3601 },
        scaleDown: { selectPolicy: 'Slow', policies: [{ type: 'Nodes', value: 0, periodSeconds: 1801 }] },
      },
    }),
    [
      'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
      'spec.behavior.scaleDown.selectPolicy: Unsupported value: "Slow": supported values: "Disabled", "Max", "Min"',
      'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
      'spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero',
      'spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
    ],
  ],
  [
    'runtimeclasses',
    'an overhead of nobody knows what, and a toleration twice',
    {
      handler: 'Run',
      overhead: { podFixed: { foo: '1' } },
      scheduling: {
        tolerations: [
          { key: 'k', operator: 'Exists' },
          { key: 'k', operator: 'Exists' },
        ],
      },
    },
    [
      "handler: Invalid value: \"Run\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
      'scheduling.tolerations[1]: Duplicate value: {"key":"k","operator":"Exists"}',
    ],
  ],
];

const fixedSet =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' and 'minReadySeconds' are forbidden";

const withoutOperator = '{"matchLabels":{"app":"a"},"matchExpressions":[{"key":"k","operator":""}]}';

const updates: readonly Update[] = [
  ...['deployments', 'replicasets', 'daemonsets'].map(
    (resource): Update => [
      resource,
      'when its images are pulled, to what nobody knows',
      {},
      spec({ template: { spec: { containers: [{ name: 'c', image: 'i', imagePullPolicy: 'x' }] } } }),
      [
        'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
  ),
  [
    'deployments',
    'its selector to one that cannot be read, and its template',
    {},
    spec({
      selector: { matchExpressions: [{ key: 'k' }] },
      template: { spec: { containers: [{ name: 'c', imagePullPolicy: 'x' }] } },
    }),
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
      `spec.selector: Invalid value: ${withoutOperator}: invalid label selector`,
      `spec.selector: Invalid value: ${withoutOperator}: field is immutable`,
      'spec.template.spec.containers[0].image: Required value',
      'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  ['deployments', 'its selector, and what it selects', {}, spec(other), [mismatch, kept]],
  ['replicasets', 'its selector', {}, spec(other), [mismatch, kept]],
  ['daemonsets', 'its selector', {}, spec(other), [mismatch, kept]],
  ['statefulsets', 'its service', {}, spec({ serviceName: 't' }), [fixedSet]],
  [
    'statefulsets',
    'what its templates of claims are called',
    spec({ volumeClaimTemplates: [claimTemplate] }),
    spec({ volumeClaimTemplates: [{ ...claimTemplate, kind: 'PersistentVolumeClaim', apiVersion: 'v1' }] }),
    [],
  ],
  [
    'jobs',
    'its completions',
    spec({ completions: 1 }),
    spec({ completions: 2 }),
    ['spec.completions: Invalid value: 2: field is immutable'],
  ],
  ['jobs', 'its parallelism', {}, spec({ parallelism: 4 }), []],
  [
    'jobs',
    'its parallelism to less than none',
    {},
    spec({ parallelism: -1 }),
    ['spec.parallelism: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'daemonsets/status',
    'counts below none',
    {},
    { status: { numberReady: -1 } },
    ['status.numberReady: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'statefulsets/status',
    'more pods that are ready than there are',
    {},
    { status: { replicas: 1, readyReplicas: 2 } },
    ['status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    'replicationcontrollers/status',
    'more pods that are available than are ready',
    {},
    { status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 } },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas'],
  ],
  [
    'jobs/status',
    'counts below none',
    {},
    { status: { active: -1 } },
    ['status.active: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'horizontalpodautoscalers/status',
    'counts below none',
    {},
    { status: { currentReplicas: -1 } },
    ['status.currentReplicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'resourcequotas/status',
    'what nobody counts',
    {},
    { status: { used: { foo: '1' } } },
    [
      'status.used[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'status.used[foo]: Invalid value: "foo": must be a standard resource for quota',
    ],
  ],
  ['runtimeclasses', 'its handler', {}, { handler: 'other' }, ['handler: Invalid value: "other": field is immutable']],
];

checkRefusals('workloads', creations, updates);
