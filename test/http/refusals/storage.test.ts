import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const topologies = (...values: (readonly string[])[]): JsonObject => ({
  allowedTopologies: values.map((list) => ({ matchLabelExpressions: [{ key: 'zone', values: [...list] }] })),
});
const drivers = (...list: JsonObject[]): JsonObject => ({ spec: { drivers: list } });
const volume = (spec: JsonObject): JsonObject => ({ spec: { hostPath: null, ...spec } });
const claim = (spec: JsonObject): JsonObject => ({ spec });

const inline = (inlineVolumeSpec: JsonObject): JsonObject => ({
  spec: { source: { persistentVolumeName: null, inlineVolumeSpec } },
});
const inContext = 'in the context of inline volumes';
const noAttacher = 'spec.attacher: Required value';
const repeated = (index: number): string => `allowedTopologies[${index}].matchLabelExpressions: Duplicate value: ""`;

const creations: readonly Creation[] = [
  ['storageclasses', 'no provisioner', { provisioner: '' }, ['provisioner: Required value']],
  ['storageclasses', 'an odd provisioner', { provisioner: 'A B' }, [`provisioner: Invalid value: "A B": ${qualified}`]],
  [
    'storageclasses',
    'unknown policies',
    { reclaimPolicy: 'Keep', volumeBindingMode: 'Later' },
    [
      'reclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Retain"',
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  [
    'storageclasses',
    'a parameter without a name',
    { parameters: { '': 'a' } },
    ['parameters: Invalid value: "": field can not be empty.'],
  ],
  [
    'storageclasses',
    'the same topologies twice',
    topologies(['a', 'b'], ['b', 'a']),
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  [
    'storageclasses',
    'topologies of nothing',
    {
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'zone', values: [] },
            { key: 'zone', values: ['a', 'a'] },
            { key: '-', values: ['b'] },
          ],
        },
      ],
    },
    [
      'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
      'allowedTopologies[0].matchLabelExpressions[1].values[1]: Duplicate value: "a"',
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"',
      `allowedTopologies[0].matchLabelExpressions[2].key: Invalid value: "-": ${qualified}`,
    ],
  ],
  [
    'csinodes',
    'a driver twice, without node',
    drivers({ name: 'a.io', nodeID: 'n', topologyKeys: null }, { name: 'a.io', nodeID: '', topologyKeys: null }),
    ['spec.drivers[1].nodeID: Required value', 'spec.drivers[1].name: Duplicate value: "a.io"'],
  ],
  [
    'csinodes',
    'topology keys that repeat or are none',
    drivers({ name: 'a.io', nodeID: 'n'.repeat(193), allocatable: { count: -1 }, topologyKeys: ['a', 'a', '-'] }),
    [
      `spec.drivers[0].nodeID: Invalid value: "${'n'.repeat(193)}": must be 192 characters or less`,
      'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
      'spec.drivers[0]: Duplicate value: "a"',
      `spec.drivers[0]: Invalid value: ["a","a","-"]: ${qualified}`,
    ],
  ],
  [
    'csinodes',
    'a driver without a name',
    drivers({ name: '', nodeID: 'n', topologyKeys: null }),
    ['spec.drivers[0].name: Required value', `spec.drivers[0].name: Invalid value: "": ${subdomain}`],
  ],
  [
    'csidrivers',
    'modes and policies that nobody knows',
    {
      spec: {
        volumeLifecycleModes: ['Sometimes'],
        fsGroupPolicy: 'x',
        tokenRequests: [{ audience: 'a', expirationSeconds: 1 }, { audience: 'a' }],
      },
    },
    [
      'spec.volumeLifecycleModes: Unsupported value: "Sometimes": supported values: "Persistent", "Ephemeral"',
      'spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ],
  ],
  [
    'volumeattachments',
    'a volume of two kinds',
    {
      spec: {
        source: {
          persistentVolumeName: 'v',
          inlineVolumeSpec: { nfs: {}, capacity: { storage: '1' } },
        },
      },
    },
    ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
  [
    'volumeattachments',
    'a volume without a name',
    { spec: { source: { persistentVolumeName: '' } } },
    [
      'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
      `spec.source.persistentVolumeName: Invalid value: "": ${subdomain}`,
    ],
  ],
  [
    'volumeattachments',
    'nobody who attaches',
    { spec: { attacher: null } },
    [noAttacher, `spec.attacher: Invalid value: "": ${subdomain}`],
  ],
  [
    'volumeattachments',
    'a volume that says what a claim would ask',
    inline({
      capacity: { storage: '1' },
      claimRef: { name: 'c' },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'x',
      volumeMode: 'Block',
      nodeAffinity: {},
      hostPath: { path: '/data' },
    }),
    [
      `spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified ${inContext}`,
      `spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified ${inContext}`,
      `spec.source.inlineVolumeSpec.csi: Required value: has to be specified ${inContext}`,
      'spec.source.inlineVolumeSpec.accessModes: Required value',
      `spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain ${inContext}`,
      `spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified ${inContext}`,
      `spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified ${inContext}`,
      `spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem ${inContext}`,
    ],
  ],
  [
    'volumeattachments',
    'a volume without what its source needs',
    inline({ accessModes: ['ReadWriteOnce'], csi: { driver: 'a' }, hostPath: {} }),
    [
      'spec.source.inlineVolumeSpec.hostPath.path: Required value',
      'spec.source.inlineVolumeSpec.csi: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'volumeattachments',
    'a volume without room, of a driver',
    inline({ accessModes: ['ReadWriteOnce'], csi: { driver: 'a', volumeHandle: 'b' } }),
    [],
  ],
  ['volumeattachments@storage.k8s.io/v1beta1', 'nobody who attaches', { spec: { attacher: null } }, [noAttacher]],
  ['storageclasses', 'a topology that asks for nothing', { allowedTopologies: [{}] }, [repeated(0)]],
  [
    'storageclasses',
    'topologies that ask for nothing, and for one thing in two ways',
    {
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] },
        { matchLabelExpressions: [] },
        { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] },
      ],
    },
    [repeated(1), repeated(2)],
  ],
  [
    'storageclasses',
    'topologies that ask for the same in the end',
    {
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'zone', values: ['a'] },
            { key: 'zone', values: ['b'] },
          ],
        },
        { matchLabelExpressions: [{ key: 'zone', values: ['b'] }] },
      ],
    },
    ['allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"', repeated(1)],
  ],
  ['persistentvolumes', 'no source', volume({}), ['spec: Required value: must specify a volume type']],
  [
    'persistentvolumes',
    'two sources',
    { spec: { nfs: { server: 's', path: '/' } } },
    ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'persistentvolumes',
    'sources that are not read, because one comes before them',
    volume({ csi: {}, cephfs: {}, rbd: { monitors: ['m'], image: 'i' } }),
    [
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
      'spec.csi: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'persistentvolumes',
    'a flexible source beside another',
    { spec: { flexVolume: {} } },
    ['spec.flexVolume.driver: Required value'],
  ],
  [
    'persistentvolumes',
    'endpoints in what is no namespace',
    volume({ glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } }),
    [
      'spec.glusterfs.endpointsNamespace: Invalid value: "": ' +
        'if the endpointnamespace is set, it must be a valid namespace name',
    ],
  ],
  [
    'persistentvolumes',
    'endpoints in a namespace',
    volume({ glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'a' } }),
    [],
  ],
  [
    'persistentvolumeclaims',
    'a request of less than nothing',
    claim({ resources: { requests: { storage: '-1' } } }),
    ['spec.resources[storage]: Invalid value: "-1": must be greater than zero'],
  ],
  [
    'persistentvolumes',
    'a disk of no node',
    volume({ local: { path: '/a' } }),
    ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
  [
    'persistentvolumes',
    'neither modes nor room',
    { spec: { accessModes: [], capacity: { storage: '0' } } },
    ['spec.accessModes: Required value', 'spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'persistentvolumes',
    'a mode that is none',
    { spec: { accessModes: ['ReadOften'] } },
    [
      'spec.accessModes: Unsupported value: "ReadOften": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    'persistentvolumes',
    'an affinity to nothing',
    { spec: { nodeAffinity: {} } },
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [
    'persistentvolumes',
    'a CSI volume without handle, and secrets of nowhere',
    volume({
      csi: { driver: 'd.io', volumeHandle: '', nodeStageSecretRef: {}, nodePublishSecretRef: { name: 's' } },
    }),
    ['spec.csi.volumeHandle: Required value', 'spec.csi.nodePublishSecretRef .namespace: Required value'],
  ],
  [
    'persistentvolumes',
    'a path that climbs',
    volume({ local: { path: '/a/../b' }, nodeAffinity: { required: { nodeSelectorTerms: [{}] } } }),
    [`spec.local.path: Invalid value: "/a/../b": must not contain '..'`],
  ],
  [
    'persistentvolumes',
    'a root that is emptied',
    { spec: { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' } },
    ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
  ],
  [
    'persistentvolumes',
    'a type of path that does not exist',
    { spec: { hostPath: { path: '/data', type: 'Tape' } } },
    [
      'spec.hostPath.type: Unsupported value: "Tape": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [
    'persistentvolumes',
    'a type of path without a path',
    { spec: { hostPath: { path: null, type: 'Tape' } } },
    ['spec.hostPath.path: Required value'],
  ],
  [
    'persistentvolumeclaims',
    'nothing that it asks for',
    claim({ accessModes: [], resources: { requests: null } }),
    ['spec.accessModes: Required value: at least 1 access mode is required', 'spec.resources[storage]: Required value'],
  ],
  [
    'persistentvolumeclaims',
    'a class and a mode that are none',
    claim({ storageClassName: '-', volumeMode: 'Tape' }),
    [
      `spec.storageClassName: Invalid value: "-": ${subdomain}`,
      'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
  ],
];

const fixedClaim = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';

const updates: readonly Update[] = [
  ['persistentvolumeclaims', 'a source that is none, which is dropped', {}, claim({ dataSource: {} }), []],
  [
    'persistentvolumeclaims',
    'what it asks for, to nothing',
    {},
    claim({ resources: null }),
    [
      'spec.resources[storage]: Required value',
      fixedClaim,
      'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
    ],
  ],
  [
    'persistentvolumes',
    'a path, to none',
    {},
    { spec: { hostPath: { path: null } } },
    [
      'spec.hostPath.path: Required value',
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
    ],
  ],
  [
    'storageclasses',
    'its policy, to none',
    {},
    { reclaimPolicy: '' },
    ['reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.'],
  ],
  ['storageclasses', 'parameters, to say that there are none', {}, { parameters: {} }, []],
  [
    'volumeattachments',
    'who attaches, to nobody',
    {},
    { spec: { attacher: '' } },
    [
      noAttacher,
      'spec: Invalid value: {"attacher":"","source":{"persistentVolumeName":"v"},"nodeName":"n"}: field is immutable',
    ],
  ],
  [
    'storageclasses',
    'what volumes were made by',
    {},
    { provisioner: 'b', parameters: { a: 'b' }, reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
    [
      'parameters: Forbidden: updates to parameters are forbidden.',
      'provisioner: Forbidden: updates to provisioner are forbidden.',
      'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
  ],
  ['storageclasses', 'whether volumes grow', {}, { allowVolumeExpansion: true }, []],
  [
    'csidrivers',
    'what nodes have acted upon',
    {},
    { spec: { attachRequired: false, podInfoOnMount: true } },
    [
      'spec.attachedRequired: Invalid value: false: field is immutable',
      'spec.podInfoOnMount: Invalid value: true: field is immutable',
    ],
  ],
  [
    'csidrivers',
    'a mode that is none',
    {},
    { spec: { volumeLifecycleModes: ['x'], fsGroupPolicy: 'x' } },
    [
      'spec.fsGroupPolicy: Invalid value: "x": field is immutable',
      'spec.volumeLifecycleModes: Invalid value: ["x"]: field is immutable',
    ],
  ],
  [
    'csinodes',
    'a driver that is there, twice',
    drivers({ name: 'a.io', nodeID: 'n', topologyKeys: null }),
    drivers({ name: 'a.io', nodeID: '', topologyKeys: null }, { name: 'a.io', nodeID: 'n', topologyKeys: null }),
    [
      'spec.drivers[0].nodeID: Required value',
      'spec.drivers[1].name: Duplicate value: "a.io"',
      'CSINodeDriver: Invalid value: {"name":"a.io","nodeID":"","topologyKeys":null}: field is immutable',
    ],
  ],
  [
    'csinodes',
    'a driver that is there',
    drivers({ name: 'a.io', nodeID: 'n', topologyKeys: null }),
    drivers({ name: 'a.io', nodeID: 'm', topologyKeys: null }),
    ['CSINodeDriver: Invalid value: {"name":"a.io","nodeID":"m","topologyKeys":null}: field is immutable'],
  ],
  ['csinodes', 'a driver that comes', {}, drivers({ name: 'a.io', nodeID: 'n', topologyKeys: null }), []],
  [
    'persistentvolumes',
    'where it can be reached from',
    { spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchFields: [] }] } } } },
    { spec: { nodeAffinity: null } },
    ['nodeAffinity: Invalid value: null: field is immutable'],
  ],
  ['persistentvolumeclaims', 'its volume, once', {}, claim({ volumeName: 'v' }), []],
  ['persistentvolumeclaims', 'its volume, again', claim({ volumeName: 'v' }), claim({ volumeName: 'w' }), [fixedClaim]],
  [
    'persistentvolumeclaims',
    'its room, before it has any',
    {},
    claim({ resources: { requests: { storage: '2Gi' } } }),
    [fixedClaim],
  ],
  [
    'persistentvolumeclaims',
    'its room, to less',
    {},
    claim({ resources: { requests: { storage: '1Mi' } } }),
    [fixedClaim, 'spec.resources.requests.storage: Forbidden: field can not be less than previous value'],
  ],
  [
    'persistentvolumeclaims',
    'how it is seen',
    {},
    claim({ volumeMode: 'Block' }),
    [fixedClaim, 'volumeMode: Invalid value: "Block": field is immutable'],
  ],
  [
    'persistentvolumeclaims',
    'its modes to none',
    {},
    claim({ accessModes: null }),
    ['spec.accessModes: Required value: at least 1 access mode is required', fixedClaim],
  ],
];

checkRefusals('storage kinds', creations, updates);
