import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const template: JsonObject = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const job = (part: JsonObject): JsonObject => ({ spec: { template, ...part } });
const indexed = (part: JsonObject): JsonObject => job({ completionMode: 'Indexed', completions: 3, ...part });
const failing = (...rules: JsonObject[]): JsonObject => job({ podFailurePolicy: { rules } });
const succeeding = (...rules: JsonObject[]): JsonObject => indexed({ successPolicy: { rules } });
const rule = 'spec.podFailurePolicy.rules[0]';
const success = 'spec.successPolicy.rules[0]';

const jobs: readonly Creation[] = [
  [
    'jobs',
    'little time to stop after a failed probe, and any after a readiness probe',
    {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [
              {
                name: 'c',
                image: 'i',
                livenessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 0 },
                readinessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 1 },
              },
            ],
          },
        },
      },
    },
    [
      'spec.template.spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
      'spec.template.spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
    ],
  ],
  [
    'jobs',
    'a port of the host that is another one; ports of a template may be left to its pods',
    {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            hostNetwork: true,
            containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 2 }, { containerPort: 3 }] }],
          },
        },
      },
    },
    [
      'spec.template.spec.containers[0].ports[0].hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true',
    ],
  ],
  [
    'jobs',
    'limits of indexes that it does not have',
    job({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
    [
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
    ],
  ],
  [
    'jobs',
    'a limit of failed indexes alone',
    indexed({ maxFailedIndexes: 4 }),
    [
      'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      'spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions',
    ],
  ],
  [
    'jobs',
    'very many indexes',
    indexed({ completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 }),
    [
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
  ],
  [
    'jobs',
    'a manager without a domain',
    job({ managedBy: 'me' }),
    ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'jobs',
    'a manager of many letters',
    job({ managedBy: `a.com/${'x'.repeat(60)}` }),
    ['spec.managedBy: Too long: may not be more than 63 bytes'],
  ],
  [
    'jobs',
    'pods that are replaced at times',
    job({ podReplacementPolicy: 'x' }),
    ['spec.podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"'],
  ],
  [
    'jobs',
    'pods that are replaced early, with a policy',
    job({ podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: { rules: [] } }),
    ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
  ],
  [
    'jobs',
    'a policy and restarts',
    job({
      podFailurePolicy: { rules: [] },
      template: { spec: { ...(template['spec'] as JsonObject), restartPolicy: 'OnFailure' } },
    }),
    [
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
  ],
  [
    'jobs',
    'a rule about nothing',
    failing({}),
    [
      `${rule}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
      `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
    ],
  ],
  [
    'jobs',
    'a rule about two things',
    failing({
      action: 'FailIndex',
      onExitCodes: { operator: 'In', values: [2, 0, 2], containerName: 'x' },
      onPodConditions: [{ type: 'a b', status: 'Maybe' }],
    }),
    [
      `${rule}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
      `${rule}.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
      `${rule}.onExitCodes.values: Invalid value: [2,0,2]: must be ordered`,
      `${rule}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
      `${rule}.onExitCodes.values[2]: Duplicate value: 2`,
      `${rule}.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`,
      `${rule}.onPodConditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      `${rule}: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
    ],
  ],
  [
    'jobs',
    'too many rules',
    failing(...Array.from({ length: 21 }, () => ({ action: 'Count', onPodConditions: [{ type: 'x' }] }))),
    ['spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items'],
  ],
  [
    'jobs',
    'success without indexes',
    job({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    ['spec.successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: requires indexed completion mode'],
  ],
  [
    'jobs',
    'success without rules',
    succeeding(),
    [
      'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
    ],
  ],
  [
    'jobs',
    'success by nothing',
    succeeding({}),
    [`${success}: Required value: at least one of succeededCount or succeededIndexes must be specified`],
  ],
  [
    'jobs',
    'success by more than there are',
    succeeding({ succeededIndexes: '0-1', succeededCount: 4 }),
    [
      `${success}.succeededCount: Invalid value: 4: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
      `${success}.succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)`,
    ],
  ],
  [
    'jobs',
    'success by indexes that are none',
    succeeding(
      { succeededIndexes: '2,x' },
      { succeededIndexes: '1-3' },
      { succeededIndexes: '2,1' },
      { succeededIndexes: '0-1-2' },
    ),
    [
      `${success}.succeededIndexes: Invalid value: "2,x": error parsing succeededIndexes: cannot convert string to integer for index: "x"`,
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "1-3": error parsing succeededIndexes: too large index: "3"',
      'spec.successPolicy.rules[2].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      `spec.successPolicy.rules[3].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  ],
  [
    'jobs',
    'pods whose host names are too long',
    { metadata: { name: 'a'.repeat(61) }, ...indexed({ completions: 100 }) },
    [
      `metadata.name: Invalid value: "${'a'.repeat(61)}": will not able to create pod with invalid DNS label: ${'a'.repeat(61)}-99`,
    ],
  ],
  [
    'cronjobs',
    'a time zone in its schedule',
    { spec: { schedule: 'TZ=UTC 0 0 * * *' } },
    [
      'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
  ],
  [
    'cronjobs',
    'a time zone of nowhere',
    { spec: { timeZone: 'Mars/Olympus' } },
    ['spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus'],
  ],
  [
    'cronjobs',
    'the zone of its server',
    { spec: { timeZone: 'Local' } },
    [
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
  ],
  [
    'cronjobs',
    'no time zone',
    { spec: { timeZone: '' } },
    ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  ],
  ['cronjobs', 'a time zone', { spec: { timeZone: 'America/Argentina/Buenos_Aires' } }, []],
];

const others: readonly Creation[] = [
  [
    'statefulsets',
    'claims that are kept at times',
    { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'x' } } },
    [
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "x": supported values: "Retain", "Delete"',
    ],
  ],
  [
    'statefulsets',
    'a first ordinal below zero',
    { spec: { ordinals: { start: -1 } } },
    ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'statefulsets',
    'no pod that may be unavailable',
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } } } },
    ['spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0'],
  ],
  [
    'services',
    'traffic to the far side',
    { spec: { trafficDistribution: 'PreferFar' } },
    [
      'spec.trafficDistribution: Unsupported value: "PreferFar": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
  ],
  [
    'endpointslices',
    'a zone twice',
    {
      endpoints: [
        { addresses: ['1.2.3.4'], hints: { forZones: [{ name: 'a' }, { name: 'a' }], forNodes: [{ name: 'A' }] } },
      ],
    },
    [
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
      `endpoints[0].hints.forNodes[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  ],
  [
    'endpointslices',
    'too many zones',
    {
      endpoints: [
        {
          addresses: ['1.2.3.4'],
          hints: { forZones: Array.from({ length: 9 }, (_, index) => ({ name: `z${index}` })) },
        },
      ],
    },
    ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
  ],
  [
    'horizontalpodautoscalers@autoscaling/v2',
    'a tolerance below zero',
    { spec: { behavior: { scaleUp: { tolerance: '-1' } } } },
    ['spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'persistentvolumeclaims',
    'two sources',
    {
      spec: {
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      },
    },
    ['spec: Invalid value: "spec.dataSource": must match dataSourceRef'],
  ],
  [
    'persistentvolumeclaims',
    'a source of the core group',
    { spec: { dataSourceRef: { kind: 'Pod', name: 'b' } } },
    ['spec.dataSource: Invalid value: "Pod"', 'spec.dataSourceRef: Invalid value: "Pod"'],
  ],
  [
    'resourcequotas',
    'pods with a class of attributes',
    { spec: { hard: { pods: '1' }, scopes: ['VolumeAttributesClass'] } },
    ['spec.scopes: Invalid value: ["VolumeAttributesClass"]: unsupported scope applied to resource'],
  ],
  [
    'resourcequotas',
    'claims with a class of attributes',
    { spec: { hard: { persistentvolumeclaims: '1' }, scopes: ['VolumeAttributesClass'] } },
    [],
  ],
];

const now = '2030-01-01T00:00:00Z';
const condition = (type: string): JsonObject => ({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now });
const complete: JsonObject = {
  conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  startTime: now,
  completionTime: now,
  succeeded: 1,
};
const suspended = job({ suspend: true });

const compared: readonly Creation[] = [
  [
    'statefulsets',
    'pods without containers, a Service and claims that cannot be',
    {
      spec: {
        serviceName: 'a.b',
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } },
        volumeClaimTemplates: [{ metadata: { name: 'c' }, spec: {} }],
      },
    },
    [
      'spec.serviceName: Invalid value: "a.b": must not contain dots',
      'spec.template.spec.containers: Required value',
      'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    ],
  ],
  [
    'horizontalpodautoscalers',
    'no pods at all, and a target without a group',
    { spec: { maxReplicas: 0, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'v1' } } },
    [
      'spec.maxReplicas: Required value: must be set and greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
  ],
  [
    'controllerrevisions',
    'data that are no object',
    { data: [1] },
    ['data: Required value: data must be a valid JSON object'],
  ],
  [
    'endpointslices',
    'an address of the other family',
    { addressType: 'IPv4', endpoints: [{ addresses: ['fd00::1'] }] },
    ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
  ],
  ['runtimeclasses', 'no handler', { handler: '' }, ['handler: Required value']],
  [
    'services',
    'a policy for traffic that does not come',
    { spec: { externalTrafficPolicy: 'Local' } },
    ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
  ],
];

const updates: readonly Update[] = [
  [
    'jobs',
    'its completions with its parallelism',
    indexed({ parallelism: 3 }),
    { spec: { completions: 5, parallelism: 5 } },
    [],
  ],
  [
    'jobs',
    'its completions alone',
    indexed({ parallelism: 3 }),
    { spec: { completions: 5 } },
    ['spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism'],
  ],
  [
    'jobs',
    'its manager',
    job({ managedBy: 'a.com/b' }),
    { spec: { managedBy: 'a.com/c' } },
    ['spec.managedBy: Invalid value: "a.com/c": field is immutable'],
  ],
  [
    'jobs',
    'its limit for indexes',
    indexed({ backoffLimitPerIndex: 1 }),
    { spec: { backoffLimitPerIndex: 2 } },
    ['spec.backoffLimitPerIndex: Invalid value: 2: field is immutable'],
  ],
  [
    'jobs',
    'where its pods run, before they do',
    suspended,
    {
      spec: {
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { nodeSelector: { a: 'b' }, schedulingGates: [{ name: 'g' }] },
        },
      },
    },
    [],
  ],
  [
    'jobs/status',
    'its end, before it begins',
    job({}),
    { status: { conditions: [condition('Complete')] } },
    [
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'status.startTime: Required value: startTime is required for finished job',
    ],
  ],
  ['jobs/status', 'its end', job({}), { status: complete }, []],
  [
    'jobs/status',
    'its end in two ways',
    job({}),
    { status: { ...complete, conditions: [...(complete['conditions'] as JsonObject[]), condition('Failed')] } },
    [
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
    ],
  ],
  [
    'jobs/status',
    'its pods',
    job({}),
    {
      status: {
        ready: 2,
        active: 1,
        terminating: -1,
        uncountedTerminatedPods: { succeeded: ['', 'a'], failed: ['a'] },
      },
    },
    [
      'status.ready: Invalid value: 2: cannot set more ready pods than active',
      'status.terminating: Invalid value: -1: must be greater than or equal to 0',
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      'status.uncountedTerminatedPods.succeeded[0]: Invalid value: "": must not be empty',
    ],
  ],
  [
    'jobs/status',
    'indexes that it does not have',
    indexed({ backoffLimitPerIndex: 1 }),
    { status: { completedIndexes: '0-1', failedIndexes: '1,7' } },
    [
      'status.failedIndexes: Invalid value: "1,7": error parsing failedIndexes: too large index: "7"',
      'status.failedIndexes: Invalid value: "1,7": failedIndexes and completedIndexes overlap at index: 1',
    ],
  ],
  [
    'jobs/status',
    'a start that was not',
    job({}),
    { status: { startTime: now, completionTime: '2020-01-01T00:00:00Z' } },
    [
      'status.completionTime: Invalid value: "2020-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
      'status.completionTime: Invalid value: "2020-01-01T00:00:00Z": completionTime cannot be set before startTime',
    ],
  ],
  [
    'statefulsets',
    'its history and its ordinals',
    {},
    { spec: { revisionHistoryLimit: 3, ordinals: { start: 2 } } },
    [],
  ],
  [
    'statefulsets',
    'its service',
    {},
    { spec: { serviceName: 'other' } },
    [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
  ],
  [
    'statefulsets/status',
    'its available pods',
    {},
    { status: { replicas: 1, readyReplicas: 1, availableReplicas: 2 } },
    [
      'status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas',
      'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ],
  ],
  [
    'deployments/status',
    'its pods that go',
    {},
    { status: { terminatingReplicas: -1 } },
    ['status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'services/status',
    'its addresses',
    {},
    { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  ],
  [
    'services/status',
    'the ways to its addresses',
    { spec: { type: 'LoadBalancer' } },
    {
      status: {
        loadBalancer: {
          ingress: [
            { ip: '1.2.3.4', ipMode: 'x' },
            { hostname: 'a.com', ipMode: 'VIP' },
          ],
        },
      },
    },
    [
      'status.loadBalancer.ingress[0].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"',
      'status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set',
    ],
  ],
  [
    'storageclasses',
    'its parameters',
    { parameters: { a: 'b' } },
    { parameters: { a: 'c' } },
    ['parameters: Invalid value: {"a":"c"}: field is immutable'],
  ],
  [
    'nodes/status',
    'features in no order',
    {},
    { status: { declaredFeatures: ['B', 'A', 'x'] } },
    [
      'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Invalid value: "x": invalid feature name "x": must start with an UpperCamelCase segment, ' +
        "with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), " +
        'and contain only alphanumeric characters and slashes',
    ],
  ],
  [
    'persistentvolumeclaims',
    'its class of attributes',
    { spec: { volumeAttributesClassName: 'a' } },
    { spec: { volumeAttributesClassName: 'b' } },
    [
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    ],
  ],
  [
    'persistentvolumeclaims/status',
    'the state of its size',
    {},
    { status: { allocatedResourceStatuses: { storage: 'Growing' }, allocatedResources: { cpu: '1' } } },
    [
      'status.allocatedResourceStatus: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
    ],
  ],
];

checkRefusals('newer workloads', [...jobs, ...others, ...compared], updates, {
  emulatedRelease: '1.36',
  emulationForwardCompatible: true,
});
