import { age, type TableStory } from './table-story.ts';

const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }];
const allocation = {
  devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n', device: 'gpu-0' }] },
};

/** Devices, requests for them, and classes of both and of volumes. */
export const devices: readonly TableStory[] = [
  {
    collection: '/apis/resource.k8s.io/v1/deviceclasses',
    columns: ['Name, string, name', 'Age, string'],
    rows: [{ name: 'gpu', object: { spec: {} }, cells: ['gpu', age] }],
  },
  {
    collection: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    columns: ['Name, string, name', 'State, string', 'Age, string'],
    rows: [
      { name: 'waiting', object: { spec: { devices: { requests } } }, cells: ['waiting', 'pending', age] },
      {
        name: 'held',
        object: { spec: { devices: { requests } } },
        status: { allocation, reservedFor: [{ resource: 'pods', name: 'a', uid: 'b' }] },
        cells: ['held', 'allocated,reserved', age],
      },
      {
        name: 'going',
        object: { metadata: { finalizers: ['example.com/f'] }, spec: { devices: { requests } } },
        status: { allocation },
        deleted: true,
        cells: ['going', 'deleted,allocated', age],
      },
    ],
  },
  {
    collection: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates',
    columns: ['Name, string, name', 'Age, string'],
    rows: [{ name: 'gpu', object: { spec: { spec: { devices: { requests } } } }, cells: ['gpu', age] }],
  },
  {
    collection: '/apis/resource.k8s.io/v1/resourceslices',
    columns: ['Name, string, name', 'Node, string', 'Driver, string', 'Pool, string', 'Age, string'],
    rows: [
      {
        name: 'a',
        object: {
          spec: {
            driver: 'gpu.example.com',
            pool: { name: 'rack/a', generation: 1, resourceSliceCount: 1 },
            nodeName: 'n',
          },
        },
        cells: ['a', 'n', 'gpu.example.com', 'rack/a', age],
      },
      {
        name: 'b',
        object: {
          spec: {
            driver: 'gpu.example.com',
            pool: { name: 'b', generation: 1, resourceSliceCount: 1 },
            allNodes: true,
          },
        },
        cells: ['b', '', 'gpu.example.com', 'b', age],
      },
    ],
  },
  {
    collection: '/apis/storage.k8s.io/v1/volumeattributesclasses',
    columns: ['Name, string, name', 'DriverName, string', 'Age, string'],
    rows: [
      {
        name: 'fast',
        object: { driverName: 'disks.example.com', parameters: { iops: '9000' } },
        cells: ['fast', 'disks.example.com', age],
      },
    ],
  },
];
