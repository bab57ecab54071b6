import { example, type Examples } from './example.ts';

/** Examples of configuration, networking and storage. */
export const configuration: Examples = {
  '/configmaps': [
    example('Settings', 'settings', { data: { 'log-level': 'info', 'settings.yaml': 'port: 8080\ncache: true\n' } }),
  ],
  '/secrets': [
    example('Values, written as text', 'credentials', {
      type: 'Opaque',
      stringData: { username: 'admin', password: 'change me' },
    }),
    {
      title: 'Access to an image registry',
      body: ({ labelDomain }) => ({
        metadata: { name: 'registry' },
        type: `${labelDomain}/dockerconfigjson`,
        stringData: { '.dockerconfigjson': '{"auths":{"registry.example.com":{"username":"u","password":"p"}}}' },
      }),
    },
    {
      title: 'Certificate and key',
      body: ({ labelDomain }) => ({
        metadata: { name: 'web-tls' },
        type: `${labelDomain}/tls`,
        stringData: { 'tls.crt': '', 'tls.key': '' },
      }),
    },
  ],
  '/services': [
    example('Inside the cluster', 'web', {
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    }),
    example('For the pods of a StatefulSet', 'store', {
      spec: { clusterIP: 'None', selector: { app: 'store' }, ports: [{ name: 'data', port: 5000 }] },
    }),
    example('On a port of each node', 'web', {
      spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    }),
  ],
  '/namespaces': [example('A namespace', 'team-a', {})],
  '/serviceaccounts': [example('An account', 'robot', {})],
  '/persistentvolumeclaims': [
    example('One gibibyte', 'data', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  ],
  '/persistentvolumes': [
    example('A share on the network', 'share', {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        nfs: { server: 'files.example.com', path: '/share' },
      },
    }),
  ],
  'storage/storageclasses': [
    example('Disks of a driver', 'fast', {
      provisioner: 'disks.example.com',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    }),
  ],
  'networking/ingresses': [
    example('A host', 'web', {
      spec: {
        rules: [
          {
            host: 'web.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'http' } } } }],
            },
          },
        ],
      },
    }),
  ],
  'networking/ingressclasses': [
    example('A controller', 'public', { spec: { controller: 'example.com/ingress-controller' } }),
  ],
  'networking/networkpolicies': [
    example('Refuse all that comes in', 'refuse-all', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    example('Allow pods of one app', 'web-from-front', {
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ podSelector: { matchLabels: { app: 'front' } } }],
            ports: [{ protocol: 'TCP', port: 8080 }],
          },
        ],
      },
    }),
  ],
  'coordination/leases': [example('A lock', 'leader', { spec: { holderIdentity: 'first', leaseDurationSeconds: 15 } })],
};
