import { age, created, type TableStory } from './table-story.ts';

/** Configuration, namespaces, nodes, quotas, endpoints and services. */
export const core: readonly TableStory[] = [
  {
    collection: '/api/v1/namespaces/tt/configmaps',
    columns: ['Name, string, name', 'Data, string', 'Age, string'],
    rows: [
      { name: 'cm0', cells: ['cm0', 0, age] },
      {
        name: 'cm1',
        object: { metadata: { labels: { x: 'y', z: 'w' } }, data: { a: '1', b: '2' }, binaryData: { c: 'AAE=' } },
        cells: ['cm1', 3, age],
      },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/secrets',
    columns: ['Name, string, name', 'Type, string', 'Data, string', 'Age, string'],
    rows: [
      { name: 's0', object: { type: 'example.com/t' }, cells: ['s0', 'example.com/t', 0, age] },
      { name: 's1', object: { stringData: { a: 'b', c: 'd' } }, cells: ['s1', 'Opaque', 2, age] },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/serviceaccounts',
    columns: ['Name, string, name', 'Age, string'],
    rows: [
      { name: 'sa0', cells: ['sa0', age] },
      { name: 'sa1', object: { secrets: [{ name: 'x' }, { name: 'y' }] }, cells: ['sa1', age] },
    ],
  },
  {
    collection: '/api/v1/namespaces',
    columns: ['Name, string, name', 'Status, string', 'Age, string'],
    rows: [
      { name: 'nsx', cells: ['nsx', 'Active', age] },
      {
        name: 'nsy',
        object: { metadata: { finalizers: ['example.com/x'] } },
        deleted: true,
        cells: ['nsy', 'Terminating', age],
      },
    ],
  },
  {
    collection: '/api/v1/nodes',
    columns: [
      'Name, string, name',
      'Status, string',
      'Roles, string',
      'Age, string',
      'Version, string',
      'Internal-IP, string, wide',
      'External-IP, string, wide',
      'OS-Image, string, wide',
      'Kernel-Version, string, wide',
      'Container-Runtime, string, wide',
    ],
    rows: [
      {
        name: 'n0',
        object: { metadata: {}, spec: {} },
        cells: ['n0', 'Unknown', '<none>', age, '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
      },
      {
        name: 'n1',
        object: {
          metadata: {
            labels: {
              'node-role.kubernetes.io/master': '',
              'node-role.kubernetes.io/control-plane': 'x',
              'kubernetes.io/role': 'zz',
              'node-role.kubernetes.io/a': 'q',
            },
          },
          spec: { unschedulable: true },
        },
        status: {
          conditions: [
            { type: 'MemoryPressure', status: 'False' },
            { type: 'Ready', status: 'True' },
          ],
          addresses: [
            { type: 'Hostname', address: 'h' },
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.2' },
            { type: 'ExternalIP', address: '8.8.8.8' },
          ],
          nodeInfo: {
            machineID: '',
            systemUUID: '',
            bootID: '',
            kernelVersion: '5.1',
            osImage: 'Debian 11',
            containerRuntimeVersion: 'containerd://1',
            kubeletVersion: 'v1.20.2',
            kubeProxyVersion: '',
            operatingSystem: 'linux',
            architecture: 'amd64',
          },
        },
        cells: [
          'n1',
          'Ready,SchedulingDisabled',
          'a,control-plane,master,zz',
          age,
          'v1.20.2',
          '10.0.0.1',
          '8.8.8.8',
          'Debian 11',
          '5.1',
          'containerd://1',
        ],
      },
      {
        name: 'n2',
        object: { metadata: { labels: { 'kubernetes.io/role': '' } }, spec: {} },
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
        cells: ['n2', 'NotReady', '<none>', age, '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
      },
      {
        name: 'n3',
        object: { metadata: {}, spec: { unschedulable: true } },
        status: {
          conditions: [
            { type: 'Ready', status: 'False' },
            { type: 'Ready', status: 'True' },
          ],
        },
        cells: [
          'n3',
          'Ready,SchedulingDisabled',
          '<none>',
          age,
          '',
          '<none>',
          '<none>',
          '<unknown>',
          '<unknown>',
          '<unknown>',
        ],
      },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/limitranges',
    columns: ['Name, string, name', 'Created At, date'],
    rows: [{ name: 'lr0', object: { spec: { limits: [{ type: 'Container' }] } }, cells: ['lr0', created] }],
  },
  {
    collection: '/api/v1/namespaces/tt/resourcequotas',
    columns: ['Name, string, name', 'Request, string', 'Limit, string', 'Age, string'],
    rows: [
      {
        name: 'rq0',
        object: {
          spec: {
            hard: {
              'requests.cpu': '900',
              'limits.cpu': '2500',
              pods: '1k',
              'limits.memory': '100Gi',
              'requests.storage': '1Ti',
            },
          },
        },
        status: {
          hard: {
            'requests.cpu': '900',
            'limits.cpu': '2500',
            pods: '1k',
            'limits.memory': '100Gi',
            'requests.storage': '1Ti',
            'count/foo.bar': '4',
          },
          used: { 'requests.cpu': '100m', pods: '0', 'limits.memory': '512Mi' },
        },
        cells: [
          'rq0',
          'count/foo.bar: 0/4, pods: 0/1k, requests.cpu: 100m/900, requests.storage: 0/1Ti',
          'limits.cpu: 0/2500, limits.memory: 512Mi/100Gi',
          age,
        ],
      },
      { name: 'rq1', object: { spec: {} }, cells: ['rq1', '', '', age] },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/endpoints',
    columns: ['Name, string, name', 'Endpoints, string', 'Age, string'],
    rows: [
      { name: 'ep0', cells: ['ep0', '<none>', age] },
      {
        name: 'ep1',
        object: {
          subsets: [
            {
              addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }],
              ports: [
                { name: 'a', port: 80 },
                { name: 'b', port: 443 },
              ],
            },
          ],
        },
        cells: ['ep1', '10.0.0.1:80,10.0.0.2:80,10.0.0.1:443 + 1 more...', age],
      },
      {
        name: 'ep2',
        object: {
          subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }, { addresses: [{ ip: '10.0.0.9' }] }],
        },
        cells: ['ep2', '10.0.0.1:80,10.0.0.9', age],
      },
      {
        name: 'ep3',
        object: { subsets: [{ notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
        cells: ['ep3', '', age],
      },
      {
        name: 'ep4',
        object: {
          subsets: [
            {
              addresses: [
                { ip: 'fd00::1' },
                { ip: 'fd00::2' },
                { ip: 'fd00::3' },
                { ip: 'fd00::4' },
                { ip: 'fd00::5' },
              ],
            },
          ],
        },
        cells: ['ep4', 'fd00::1,fd00::2,fd00::3 + 2 more...', age],
      },
      {
        name: 'ep5',
        object: {
          subsets: [{ addresses: [{ ip: 'fd00::1' }, { ip: 'fd00::2' }, { ip: 'fd00::3' }], ports: [{ port: 1 }] }],
        },
        cells: ['ep5', '[fd00::1]:1,[fd00::2]:1,[fd00::3]:1', age],
      },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/services',
    columns: [
      'Name, string, name',
      'Type, string',
      'Cluster-IP, string',
      'External-IP, string',
      'Port(s), string',
      'Age, string',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'svc0',
        object: { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.10', selector: { a: 'b', c: 'd' } } },
        cells: ['svc0', 'ClusterIP', '10.0.0.10', '<none>', '80/TCP', age, 'a=b,c=d'],
      },
      {
        name: 'svc1',
        object: {
          spec: {
            ports: [
              { name: 'a', port: 80, nodePort: 30001 },
              { name: 'b', port: 53, protocol: 'UDP', nodePort: 30002 },
            ],
            type: 'NodePort',
            clusterIP: '10.0.0.11',
            externalIPs: ['1.2.3.4', '5.6.7.8'],
          },
        },
        cells: ['svc1', 'NodePort', '10.0.0.11', '1.2.3.4,5.6.7.8', '80:30001/TCP,53:30002/UDP', age, '<none>'],
      },
      {
        name: 'svc2',
        object: { spec: { ports: [{ port: 80, nodePort: 30012 }], type: 'LoadBalancer', clusterIP: '10.0.0.12' } },
        cells: ['svc2', 'LoadBalancer', '10.0.0.12', '<pending>', '80:30012/TCP', age, '<none>'],
      },
      {
        name: 'svc3',
        object: {
          spec: {
            ports: [{ port: 80, nodePort: 30013 }],
            type: 'LoadBalancer',
            clusterIP: '10.0.0.13',
            externalIPs: ['9.9.9.9'],
          },
        },
        status: {
          loadBalancer: {
            ingress: [
              { ip: '7.7.7.7' },
              { hostname: 'a-very-long-host-name.example.com' },
              { ip: '1.1.1.1' },
              { ip: '7.7.7.7' },
            ],
          },
        },
        cells: [
          'svc3',
          'LoadBalancer',
          '10.0.0.13',
          '1.1.1.1,7.7.7.7,a-very-long-host-name.example.com,9.9.9.9',
          '80:30013/TCP',
          age,
          '<none>',
        ],
      },
      {
        name: 'svc4',
        object: { spec: { ports: [{ port: 80, nodePort: 30014 }], type: 'LoadBalancer', clusterIP: '10.0.0.14' } },
        status: { loadBalancer: { ingress: [{ hostname: 'b.example.com', ip: '3.3.3.3' }] } },
        cells: ['svc4', 'LoadBalancer', '10.0.0.14', '3.3.3.3', '80:30014/TCP', age, '<none>'],
      },
      {
        name: 'svc7',
        object: {
          spec: {
            ports: [{ port: 80, nodePort: 30017 }],
            type: 'LoadBalancer',
            clusterIP: '10.0.0.17',
            externalIPs: ['9.9.9.9'],
          },
        },
        cells: ['svc7', 'LoadBalancer', '10.0.0.17', '9.9.9.9', '80:30017/TCP', age, '<none>'],
      },
      {
        name: 'svc5',
        object: { spec: { type: 'ExternalName', externalName: 'x.example.com' } },
        cells: ['svc5', 'ExternalName', '<none>', 'x.example.com', '<none>', age, '<none>'],
      },
      {
        name: 'svc6',
        object: { spec: { clusterIP: 'None' } },
        cells: ['svc6', 'ClusterIP', 'None', '<none>', '<none>', age, '<none>'],
      },
      {
        name: 'svc8',
        object: { spec: { ports: [{ port: 80, protocol: 'SCTP' }], clusterIP: '10.0.0.18', externalIPs: ['1.2.3.4'] } },
        cells: ['svc8', 'ClusterIP', '10.0.0.18', '1.2.3.4', '80/SCTP', age, '<none>'],
      },
    ],
  },
];
