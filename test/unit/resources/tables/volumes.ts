import { age, created, type TableStory } from './table-story.ts';

/** Volumes, claims, and how they are made and attached. */
export const volumes: readonly TableStory[] = [
  {
    collection: '/api/v1/persistentvolumes',
    columns: [
      'Name, string, name',
      'Capacity, string',
      'Access Modes, string',
      'Reclaim Policy, string',
      'Status, string',
      'Claim, string',
      'StorageClass, string',
      'VolumeAttributesClass, string',
      'Reason, string',
      'Age, string',
      'VolumeMode, string, wide',
    ],
    rows: [
      {
        name: 'pv0',
        object: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
        cells: ['pv0', '1Gi', 'RWO', 'Retain', 'Pending', '', '', '<unset>', '', age, 'Filesystem'],
      },
      {
        name: 'pv1',
        object: {
          spec: {
            capacity: { storage: '1500Mi' },
            accessModes: ['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce', 'ReadWriteOnce'],
            hostPath: { path: '/x' },
            storageClassName: 'sc',
            volumeMode: 'Block',
            persistentVolumeReclaimPolicy: 'Recycle',
            claimRef: { namespace: 'foo', name: 'bar' },
          },
        },
        status: { phase: 'Bound', reason: 'because' },
        cells: [
          'pv1',
          '1500Mi',
          'RWO,ROX,RWX',
          'Recycle',
          'Bound',
          'foo/bar',
          'sc',
          '<unset>',
          'because',
          age,
          'Block',
        ],
      },
      {
        name: 'pv2',
        object: {
          metadata: {
            annotations: { 'volume.beta.kubernetes.io/storage-class': 'betasc' },
            finalizers: ['example.com/f'],
          },
          spec: {
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            hostPath: { path: '/x' },
            storageClassName: 'sc2',
          },
        },
        status: { phase: 'Failed' },
        cells: ['pv2', '1Gi', 'RWO', 'Retain', 'Failed', '', 'betasc', '<unset>', '', age, 'Filesystem'],
      },
      {
        name: 'pv3',
        object: {
          metadata: { finalizers: ['example.com/f'] },
          spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
        },
        deleted: true,
        cells: ['pv3', '1Gi', 'RWO', 'Retain', 'Terminating', '', '', '<unset>', '', age, 'Filesystem'],
      },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/persistentvolumeclaims',
    columns: [
      'Name, string, name',
      'Status, string',
      'Volume, string',
      'Capacity, string',
      'Access Modes, string',
      'StorageClass, string',
      'VolumeAttributesClass, string',
      'Age, string',
      'VolumeMode, string, wide',
    ],
    rows: [
      {
        name: 'pvc0',
        object: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        cells: ['pvc0', 'Pending', '', '', '', '', '<unset>', age, 'Filesystem'],
      },
      {
        name: 'pvc1',
        object: {
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            volumeName: 'pv1',
            storageClassName: 'sc',
          },
        },
        status: { phase: 'Bound', accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], capacity: { storage: '2Gi' } },
        cells: ['pvc1', 'Bound', 'pv1', '2Gi', 'RWO,ROX', 'sc', '<unset>', age, 'Filesystem'],
      },
      {
        name: 'pvc2',
        object: {
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            volumeName: 'pv1',
            volumeMode: 'Block',
          },
        },
        status: { phase: 'Lost' },
        cells: ['pvc2', 'Lost', 'pv1', '0', '', '', '<unset>', age, 'Block'],
      },
      {
        name: 'pvc3',
        object: {
          metadata: { finalizers: ['example.com/f'] },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' },
        },
        deleted: true,
        cells: ['pvc3', 'Terminating', '', '', '', '', '<unset>', age, 'Filesystem'],
      },
      {
        name: 'pvc4',
        object: {
          metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'betasc' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
        status: { phase: 'Pending', accessModes: ['ReadWriteMany'], capacity: { storage: '3Gi' } },
        cells: ['pvc4', 'Pending', '', '', '', 'betasc', '<unset>', age, 'Filesystem'],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1/storageclasses',
    columns: [
      'Name, string, name',
      'Provisioner, string',
      'ReclaimPolicy, string',
      'VolumeBindingMode, string',
      'AllowVolumeExpansion, string',
      'Age, string',
    ],
    rows: [
      { name: 'sc0', object: { provisioner: 'p' }, cells: ['sc0', 'p', 'Delete', 'Immediate', false, age] },
      {
        name: 'sc1',
        object: {
          metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
          provisioner: 'p',
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
          allowVolumeExpansion: true,
        },
        cells: ['sc1 (default)', 'p', 'Retain', 'WaitForFirstConsumer', true, age],
      },
      {
        name: 'sc2',
        object: {
          metadata: { annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } },
          provisioner: 'p',
          allowVolumeExpansion: false,
        },
        cells: ['sc2 (default)', 'p', 'Delete', 'Immediate', false, age],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1/csidrivers',
    columns: [
      'Name, string, name',
      'AttachRequired, boolean',
      'PodInfoOnMount, boolean',
      'StorageCapacity, boolean',
      'TokenRequests, string',
      'RequiresRepublish, boolean',
      'Modes, string',
      'Age, string',
    ],
    rows: [
      { name: 'cd0', object: { spec: {} }, cells: ['cd0', true, false, false, '<unset>', false, 'Persistent', age] },
      {
        name: 'cd1',
        object: {
          spec: {
            attachRequired: false,
            podInfoOnMount: true,
            storageCapacity: true,
            requiresRepublish: true,
            tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
            volumeLifecycleModes: ['Persistent', 'Ephemeral'],
          },
        },
        cells: ['cd1', false, true, true, 'a,b', true, 'Persistent,Ephemeral', age],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1/csinodes',
    columns: ['Name, string, name', 'Drivers, integer', 'Age, string'],
    rows: [
      { name: 'cn0', object: { spec: { drivers: [] } }, cells: ['cn0', 0, age] },
      {
        name: 'cn1',
        object: {
          spec: {
            drivers: [
              { name: 'a', nodeID: 'x' },
              { name: 'b', nodeID: 'y' },
            ],
          },
        },
        cells: ['cn1', 2, age],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1/volumeattachments',
    columns: [
      'Name, string, name',
      'Attacher, string, name',
      'PV, string',
      'Node, string',
      'Attached, boolean',
      'Age, string',
    ],
    rows: [
      {
        name: 'va0',
        object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
        cells: ['va0', 'a', 'pv', 'n', false, age],
      },
      {
        name: 'va1',
        object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
        status: { attached: true },
        cells: ['va1', 'a', 'pv', 'n', true, age],
      },
      {
        name: 'va2',
        object: {
          spec: {
            attacher: 'a',
            nodeName: 'n',
            source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } } },
          },
        },
        cells: ['va2', 'a', '', 'n', false, age],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1beta1/namespaces/tt/csistoragecapacities',
    columns: ['Name, string, name', 'Created At, date'],
    rows: [{ name: 'csc0', object: { storageClassName: 'sc' }, cells: ['csc0', created] }],
  },
];
