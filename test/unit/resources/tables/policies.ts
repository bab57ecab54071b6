import { age, type TableStory } from './table-story.ts';
import { simpleSelector } from './templates.ts';

/** Policies, and kinds with few columns. */
export const policies: readonly TableStory[] = [
  {
    collection: '/apis/policy/v1beta1/namespaces/tt/poddisruptionbudgets',
    columns: [
      'Name, string, name',
      'Min Available, string',
      'Max Unavailable, string',
      'Allowed Disruptions, integer',
      'Age, string',
    ],
    rows: [
      {
        name: 'pdb0',
        object: { spec: { minAvailable: 2, selector: simpleSelector } },
        status: { disruptionsAllowed: 3, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
        cells: ['pdb0', '2', 'N/A', 3, age],
      },
      {
        name: 'pdb1',
        object: { spec: { maxUnavailable: '25%', selector: simpleSelector } },
        cells: ['pdb1', 'N/A', '25%', 0, age],
      },
      { name: 'pdb2', object: { spec: { selector: simpleSelector } }, cells: ['pdb2', 'N/A', 'N/A', 0, age] },
      { name: 'pdb3', object: { spec: { minAvailable: 0 } }, cells: ['pdb3', '0', 'N/A', 0, age] },
    ],
  },
  {
    collection: '/apis/policy/v1beta1/podsecuritypolicies',
    columns: [
      'Name, string, name',
      'Priv, string',
      'Caps, string',
      'SELinux, string',
      'RunAsUser, string',
      'FsGroup, string',
      'SupGroup, string',
      'ReadOnlyRootFs, string',
      'Volumes, string',
    ],
    rows: [
      {
        name: 'psp0',
        object: {
          spec: {
            seLinux: { rule: 'RunAsAny' },
            runAsUser: { rule: 'RunAsAny' },
            fsGroup: { rule: 'RunAsAny' },
            supplementalGroups: { rule: 'RunAsAny' },
          },
        },
        cells: ['psp0', 'false', '', 'RunAsAny', 'RunAsAny', 'RunAsAny', 'RunAsAny', false, ''],
      },
      {
        name: 'psp1',
        object: {
          spec: {
            seLinux: { rule: 'RunAsAny' },
            runAsUser: { rule: 'RunAsAny' },
            fsGroup: { rule: 'RunAsAny' },
            supplementalGroups: { rule: 'RunAsAny' },
            privileged: true,
            allowedCapabilities: ['NET_ADMIN', '*'],
            readOnlyRootFilesystem: true,
            volumes: ['configMap', 'secret'],
          },
        },
        cells: [
          'psp1',
          'true',
          'NET_ADMIN,*',
          'RunAsAny',
          'RunAsAny',
          'RunAsAny',
          'RunAsAny',
          true,
          'configMap,secret',
        ],
      },
    ],
  },
  {
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    columns: [
      'Name, string, name',
      'Value, integer',
      'Global-Default, boolean',
      'Age, string',
      'PreemptionPolicy, string',
    ],
    rows: [
      { name: 'pc0', object: { value: 1000 }, cells: ['pc0', 1000, false, age, 'PreemptLowerPriority'] },
      {
        name: 'pc1',
        object: { value: -5, globalDefault: true, preemptionPolicy: 'Never' },
        cells: ['pc1', -5, true, age, 'Never'],
      },
    ],
  },
  {
    collection: '/apis/coordination.k8s.io/v1/namespaces/tt/leases',
    columns: ['Name, string, name', 'Holder, string', 'Age, string'],
    rows: [
      { name: 'l0', cells: ['l0', '', age] },
      { name: 'l1', object: { spec: { holderIdentity: 'me' } }, cells: ['l1', 'me', age] },
    ],
  },
  {
    collection: '/apis/node.k8s.io/v1/runtimeclasses',
    columns: ['Name, string, name', 'Handler, string', 'Age, string'],
    rows: [{ name: 'rcl0', object: { handler: 'h' }, cells: ['rcl0', 'h', age] }],
  },
  {
    collection: '/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas',
    columns: [
      'Name, string, name',
      'PriorityLevel, string',
      'MatchingPrecedence, string',
      'DistinguisherMethod, string',
      'Age, string',
      'MissingPL, string',
    ],
    rows: [
      {
        name: 'fs0',
        object: { spec: { priorityLevelConfiguration: { name: 'none-such' }, matchingPrecedence: 77 } },
        status: {
          conditions: [
            { type: 'Dangling', status: 'True', reason: 'r', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' },
          ],
        },
        cells: ['fs0', 'none-such', 77, '<none>', age, 'True'],
      },
      {
        name: 'fs1',
        object: { spec: { priorityLevelConfiguration: { name: 'pl' }, distinguisherMethod: { type: 'ByUser' } } },
        status: { conditions: [{ type: 'Dangling', status: 'False' }] },
        cells: ['fs1', 'pl', 1000, 'ByUser', age, 'False'],
      },
      {
        name: 'fs2',
        object: { spec: { priorityLevelConfiguration: { name: 'pl' } } },
        status: { conditions: [] },
        cells: ['fs2', 'pl', 1000, '<none>', age, '?'],
      },
    ],
  },
  {
    collection: '/apis/flowcontrol.apiserver.k8s.io/v1beta1/prioritylevelconfigurations',
    columns: [
      'Name, string, name',
      'Type, string',
      'NominalConcurrencyShares, string',
      'Queues, string',
      'HandSize, string',
      'QueueLengthLimit, string',
      'Age, string',
    ],
    rows: [
      {
        name: 'pl0',
        object: {
          spec: {
            type: 'Limited',
            limited: {
              assuredConcurrencyShares: 9,
              limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 8 } },
            },
          },
        },
        cells: ['pl0', 'Limited', 9, 4, 2, 8, age],
      },
      {
        name: 'pl1',
        object: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
        cells: ['pl1', 'Limited', 30, '<none>', '<none>', '<none>', age],
      },
    ],
  },
];
