import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { warningsOf } from '../../../src/resources/warnings/kind-warnings.ts';
import type { ApiRelease } from '../../../src/scheme/api-release.ts';

/** The warnings about a new object, or about one that replaces another. */
function warn(
  kind: string,
  object: JsonObject,
  release: ApiRelease,
  old?: JsonObject,
  subresource = '',
): readonly string[] {
  const [group = '', resource = ''] = kind.split('/');
  const emulated = { release, forwardCompatible: false, isFeatureEnabled: () => false };
  const write = { emulated, identifiers: identifiersOf('kubernetes'), subresource, old };
  return warningsOf(group, resource)?.(object, write) ?? [];
}

const container = (more: JsonObject = {}): JsonObject => ({ name: 'c', image: 'i', ...more });
const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [container()], ...spec },
});
const hides = 'spec.containers[0].env[1]: hides previous definition of "A"';
const noPods = 'a null labelSelector results in matching no pod';

const stories: readonly (readonly [title: string, kind: string, object: JsonObject, [ApiRelease, ...string[]][]])[] = [
  [
    'labels of nodes',
    '/pods',
    pod({ nodeSelector: { 'beta.kubernetes.io/os': 'x', 'node-role.kubernetes.io/master': '' } }),
    [
      ['1.24', 'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
      [
        '1.31',
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      ],
    ],
  ],
  [
    'removed kinds of volumes',
    '/pods',
    pod({
      volumes: [
        { name: 'v', glusterfs: {} },
        { name: 'r', rbd: {} },
        { name: 'g', gitRepo: {} },
      ],
    }),
    [
      ['1.24', 'spec.volumes[2].gitRepo: deprecated in v1.11'],
      [
        '1.26',
        'spec.volumes[0].glusterfs: deprecated in v1.25, this feature will be removed soon after in a subsequent release',
        'spec.volumes[2].gitRepo: deprecated in v1.11',
      ],
      [
        '1.33',
        'spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+',
        'spec.volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
        'spec.volumes[2].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      ],
    ],
  ],
  [
    'repeated variables',
    '/pods',
    pod({
      containers: [
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        }),
      ],
    }),
    [
      ['1.27', 'spec.containers[0].env[1].name: duplicate name "A"'],
      ['1.28', hides],
      ['1.30', `${hides}, which may be dropped when using apply`],
    ],
  ],
  [
    'variables that extend others',
    '/pods',
    pod({
      containers: [
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '$(A)2' },
          ],
        }),
      ],
    }),
    [['1.28']],
  ],
  [
    'annotations of seccomp',
    '/pods',
    pod({}, { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'x' } }),
    [
      [
        '1.26',
        'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: deprecated since v1.19, non-functional in a future release; use the "seccompProfile" field instead',
      ],
      [
        '1.27',
        'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
      ],
    ],
  ],
  [
    'names that are no host names',
    '/pods',
    { ...pod({}), metadata: { name: 'a.b' } },
    [
      ['1.26'],
      [
        '1.27',
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
  ],
  [
    'a negative grace period',
    '/pods',
    pod({ terminationGracePeriodSeconds: -1 }),
    [
      ['1.26'],
      [
        '1.27',
        'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
      ],
    ],
  ],
  [
    'ports',
    '/pods',
    pod({
      containers: [
        container({
          ports: [
            { containerPort: 80, name: 'a', protocol: 'TCP' },
            { containerPort: 80, name: 'a', hostPort: 1, protocol: 'TCP' },
            { containerPort: 81, hostIP: '1.2.3.4', protocol: 'TCP' },
          ],
        }),
      ],
    }),
    [
      ['1.27'],
      [
        '1.33',
        'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}',
        'spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
  ],
  [
    'fractions of bytes',
    '/pods',
    pod({ containers: [container({ resources: { limits: { memory: '100m' } } })] }),
    [
      [
        '1.24',
        'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
      ],
    ],
  ],
  [
    'selectors without labels',
    'apps/deployments',
    {
      metadata: { name: 'd' },
      spec: {
        template: {
          spec: {
            containers: [container()],
            topologySpreadConstraints: [{ topologyKey: 'k' }],
            affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k' }] } },
          },
        },
      },
    },
    [
      ['1.27'],
      [
        '1.28',
        `spec.template.spec.topologySpreadConstraints[0].labelSelector: ${noPods}`,
        `spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: ${noPods}`,
      ],
    ],
  ],
  [
    'paths that overlap',
    '/pods',
    pod({
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'm',
            items: [
              { key: 'a', path: 'p' },
              { key: 'b', path: 'p/q' },
            ],
          },
        },
        {
          name: 'w',
          projected: {
            sources: [
              { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
              { serviceAccountToken: { path: 'x' } },
            ],
          },
        },
      ],
    }),
    [
      ['1.31'],
      [
        '1.32',
        'volume "v" (ConfigMap "m"): overlapping paths: "p/q" with "p"',
        'volume "w" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x" (Secret "s")',
      ],
    ],
  ],
  [
    'Services',
    '/services',
    {
      metadata: { name: 's' },
      spec: {
        type: 'ClusterIP',
        clusterIP: 'fd00::01',
        clusterIPs: ['fd00::01'],
        externalIPs: ['010.0.0.1'],
        trafficDistribution: 'PreferClose',
        loadBalancerSourceRanges: ['10.0.0.1/8'],
      },
    },
    [
      ['1.26'],
      [
        '1.32',
        'spec.clusterIPs[0]: IPv6 address "fd00::01" is not in RFC 5952 canonical format ("fd00::1"), which may cause controller apply-loops',
        'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
      ],
      [
        '1.36',
        'spec.clusterIPs[0]: IPv6 address "fd00::01" should be in RFC 5952 canonical format ("fd00::1")',
        'spec.externalIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
        'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
        'spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
        'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
      ],
    ],
  ],
  [
    'reclaim policies',
    '/persistentvolumes',
    { metadata: { name: 'v' }, spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
    [
      ['1.29'],
      [
        '1.30',
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
  ],
  [
    'classes of claims',
    '/persistentvolumeclaims',
    { metadata: { name: 'c', annotations: { 'volume.beta.kubernetes.io/storage-class': 's' } }, spec: {} },
    [
      ['1.25'],
      [
        '1.26',
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      ],
    ],
  ],
  [
    'quotas',
    '/resourcequotas',
    { metadata: { name: 'q' }, spec: { hard: { cpu: '2', 'limits.cpu': '1' } } },
    [['1.34'], ['1.35', 'ResourceQuota cpu (2) should be less than limits.cpu (1)']],
  ],
  [
    'names of endpoints',
    'discovery/endpointslices',
    { metadata: { name: 'e' }, addressType: 'FQDN', endpoints: [] },
    [['1.26'], ['1.27', 'spec.addressType: FQDN endpoints are deprecated']],
  ],
  [
    'annotations of classes',
    'networking/ingresses',
    { metadata: { name: 'i', annotations: { 'kubernetes.io/ingress.class': 'c' } }, spec: {} },
    [['1.27', `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]],
  ],
  [
    'keys of Secrets',
    '/secrets',
    { metadata: { name: 's' }, type: 'kubernetes.io/tls', data: {} },
    [['1.26'], ['1.27', 'tls: failed to find any PEM data in certificate input']],
  ],
];

describe('warnings about objects', () => {
  for (const [title, kind, object, releases] of stories) {
    it(`${title} are as in each release`, () => {
      for (const [release, ...expected] of releases) assert.deepEqual(warn(kind, object, release), expected, release);
    });
  }

  it('of workloads are sent again only if the spec changes, and of pods never', () => {
    const template = { spec: { containers: [container()], nodeSelector: { 'beta.kubernetes.io/os': 'x' } } };
    const at = (generation: number): JsonObject => ({ metadata: { name: 'd', generation }, spec: { template } });
    assert.equal(warn('apps/deployments', at(2), '1.30', at(1)).length, 1);
    assert.deepEqual(warn('apps/deployments', at(2), '1.30', at(2)), []);
    assert.equal(warn('apps/deployments', at(2), '1.30', at(1), 'scale').length, 1);
    assert.deepEqual(warn('apps/deployments', at(2), '1.30', at(1), 'status'), []);
    const old = pod({ nodeSelector: { 'beta.kubernetes.io/os': 'x' } });
    assert.deepEqual(warn('/pods', old, '1.30', old), []);
  });

  it('of addresses in the status of pods are sent with the status', () => {
    const object = { ...pod({}), status: { podIPs: [{ ip: '::FFFF:1.2.3.4' }] } };
    assert.deepEqual(warn('/pods', object, '1.33', object), []);
    assert.deepEqual(warn('/pods', object, '1.33', object, 'status'), [
      'status.podIPs[0].ip: non-standard IP address "::FFFF:1.2.3.4" is invalid: use "1.2.3.4"',
    ]);
  });
});
