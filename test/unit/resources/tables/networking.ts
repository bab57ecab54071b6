import { age, type TableStory } from './table-story.ts';
import { mixedSelector } from './templates.ts';

/** Ingresses and their classes, network policies and endpoint slices. */
export const networking: readonly TableStory[] = [
  {
    collection: '/apis/networking.k8s.io/v1/namespaces/tt/ingresses',
    columns: [
      'Name, string, name',
      'Class, string',
      'Hosts, string',
      'Address, string',
      'Ports, string',
      'Age, string',
    ],
    rows: [
      {
        name: 'i0',
        object: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
        cells: ['i0', '<none>', '*', '', '80', age],
      },
      {
        name: 'i1',
        object: {
          spec: {
            ingressClassName: 'nginx',
            rules: [
              {
                host: 'a.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'b.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
            ],
            tls: [{ hosts: ['a.example.com'], secretName: 's' }],
          },
        },
        status: { loadBalancer: { ingress: [{ ip: '9.9.9.9' }, { hostname: 'z.example.com' }, { ip: '1.1.1.1' }] } },
        cells: ['i1', 'nginx', 'a.example.com,b.example.com', '1.1.1.1,9.9.9.9,z.example.com', '80, 443', age],
      },
      {
        name: 'i2',
        object: {
          metadata: { annotations: { 'kubernetes.io/ingress.class': 'old' } },
          spec: {
            rules: [
              {
                host: 'a.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'b.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'c.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'd.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'e.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
            ],
          },
        },
        cells: ['i2', '<none>', 'a.example.com,b.example.com,c.example.com + 2 more...', '', '80', age],
      },
      {
        name: 'i3',
        object: {
          spec: {
            rules: [
              {
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'b.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'c.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'd.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
            ],
          },
        },
        cells: ['i3', '<none>', 'b.example.com,c.example.com,d.example.com', '', '80', age],
      },
      {
        name: 'i4',
        object: {
          spec: {
            rules: [
              {
                host: 'b.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'c.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
              {
                host: 'd.example.com',
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
            ],
          },
        },
        cells: ['i4', '<none>', 'b.example.com,c.example.com,d.example.com', '', '80', age],
      },
      {
        name: 'i5',
        object: {
          spec: {
            rules: [
              {
                http: {
                  paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
                },
              },
            ],
          },
        },
        cells: ['i5', '<none>', '*', '', '80', age],
      },
    ],
  },
  {
    collection: '/apis/networking.k8s.io/v1/ingressclasses',
    columns: ['Name, string, name', 'Controller, string', 'Parameters, string', 'Age, string'],
    rows: [
      {
        name: 'ic0',
        object: { spec: { controller: 'example.com/c' } },
        cells: ['ic0', 'example.com/c', '<none>', age],
      },
      {
        name: 'ic1',
        object: {
          metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
          spec: { controller: 'example.com/c', parameters: { apiGroup: 'k8s.example.com', kind: 'Params', name: 'p' } },
        },
        cells: ['ic1', 'example.com/c', 'Params.k8s.example.com/p', age],
      },
      {
        name: 'ic2',
        object: { spec: { controller: 'example.com/c', parameters: { kind: 'Params', name: 'p' } } },
        cells: ['ic2', 'example.com/c', 'Params/p', age],
      },
    ],
  },
  {
    collection: '/apis/networking.k8s.io/v1/namespaces/tt/networkpolicies',
    columns: ['Name, string, name', 'Pod-Selector, string', 'Age, string'],
    rows: [
      { name: 'np0', object: { spec: { podSelector: {} } }, cells: ['np0', '<none>', age] },
      {
        name: 'np1',
        object: { spec: { podSelector: mixedSelector } },
        cells: ['np1', 'a=b,b,k in (x,y),m notin (p,q),!n,o in (one),z=1', age],
      },
    ],
  },
  {
    collection: '/apis/discovery.k8s.io/v1beta1/namespaces/tt/endpointslices',
    columns: ['Name, string, name', 'AddressType, string', 'Ports, string', 'Endpoints, string', 'Age, string'],
    rows: [
      {
        name: 'es0',
        object: { addressType: 'IPv4', endpoints: [] },
        cells: ['es0', 'IPv4', '<unset>', '<unset>', age],
      },
      {
        name: 'es1',
        object: {
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2', '10.0.0.3'] }],
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81, protocol: 'UDP' },
          ],
        },
        cells: ['es1', 'IPv4', '80,81', '10.0.0.1,10.0.0.2,10.0.0.3', age],
      },
      {
        name: 'es2',
        object: {
          addressType: 'IPv4',
          endpoints: [
            { addresses: ['10.0.0.1'] },
            { addresses: ['10.0.0.2', '10.0.0.3'] },
            { addresses: ['10.0.0.4'] },
            { addresses: ['10.0.0.5'] },
          ],
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81 },
            { name: 'c', port: 82 },
            { name: 'd', port: 83 },
          ],
        },
        cells: ['es2', 'IPv4', '80,81,82 + 1 more...', '10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...', age],
      },
      {
        name: 'es3',
        object: { addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }], ports: [{ name: 'a' }] },
        cells: ['es3', 'FQDN', 'a', 'a.example.com', age],
      },
      {
        name: 'es4',
        object: {
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }, { addresses: ['10.0.0.3'] }],
          ports: [{ name: 'a', port: 80 }, { name: 'b' }, { name: 'c', port: 82 }],
        },
        cells: ['es4', 'IPv4', '80,b,82', '10.0.0.1,10.0.0.2,10.0.0.3', age],
      },
      {
        name: 'es5',
        object: { addressType: 'IPv4', endpoints: [], ports: [{}] },
        cells: ['es5', 'IPv4', '<unset>', '<unset>', age],
      },
      {
        name: 'es6',
        object: { addressType: 'IPv4', endpoints: [], ports: [{ name: 'b' }, {}, { name: 'c' }, { name: 'd' }] },
        cells: ['es6', 'IPv4', 'b,,c + 1 more...', '<unset>', age],
      },
    ],
  },
  {
    collection: '/apis/networking.k8s.io/v1/ipaddresses',
    columns: ['Name, string, name', 'ParentRef, string'],
    rows: [
      {
        name: '10.0.0.7',
        object: { spec: { parentRef: { resource: 'services', namespace: 'ns', name: 's' } } },
        cells: ['10.0.0.7', 'services/ns/s'],
      },
      {
        name: '2001:db8::7',
        object: { spec: { parentRef: { group: 'gateway.example.com', resource: 'Gateways', name: 'g' } } },
        cells: ['2001:db8::7', 'gateways.gateway.example.com/g'],
      },
    ],
  },
  {
    collection: '/apis/networking.k8s.io/v1/servicecidrs',
    columns: ['Name, string, name', 'CIDRs, string', 'Age, string'],
    rows: [
      {
        name: 'sc0',
        object: { spec: { cidrs: ['10.9.0.0/16', '2001:db8::/64'] } },
        cells: ['sc0', '10.9.0.0/16,2001:db8::/64', age],
      },
    ],
  },
];
