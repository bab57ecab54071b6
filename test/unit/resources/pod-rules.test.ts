import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { validatePodSpec } from '../../../src/resources/core/pods/validate.ts';

const container: JsonObject = { name: 'c', image: 'i' };
const inContainer = (part: JsonObject): JsonObject => ({ containers: [{ ...container, ...part }] });
const inSpec = (part: JsonObject): JsonObject => ({ containers: [container], ...part });
const inVolume = (source: JsonObject, ...volumeMounts: JsonObject[]): JsonObject => ({
  volumes: [{ name: 'v', ...source }],
  containers: [{ ...container, volumeMounts }],
});
const variable = (valueFrom: JsonObject, rest: JsonObject = {}): JsonObject =>
  inContainer({ env: [{ name: 'A', valueFrom, ...rest }] });

/** Every error that a spec may have is one row: what is wrong, the spec, and the one error, as clients read it. */
const refused: readonly (readonly [what: string, spec: JsonObject, ...errors: string[]])[] = [
  ['no container', { containers: [] }, 'containers: Required value'],
  ['two containers of a name', { containers: [container, container] }, 'containers[1].name: Duplicate value: "c"'],
  [
    'an init container of the name of a container',
    { initContainers: [container], containers: [container] },
    'initContainers[0].name: Duplicate value: "c"',
  ],
  [
    'two containers without a name, one of them for the start',
    { initContainers: [{ image: 'i' }], containers: [{ image: 'i' }] },
    'containers[0].name: Required value',
    'initContainers[0].name: Required value',
    'initContainers[0].name: Duplicate value: ""',
  ],
  [
    'a probe of an init container',
    { initContainers: [{ name: 'i', image: 'i', livenessProbe: {} }], containers: [container] },
    'initContainers[0].livenessProbe: Required value: must specify a handler type',
    'initContainers[0].livenessProbe: Invalid value: {}: must not be set for init containers',
  ],
  [
    'a port of the node twice',
    inContainer({
      ports: [
        { containerPort: 1, hostPort: 80, protocol: 'TCP' },
        { containerPort: 2, hostPort: 80, protocol: 'TCP' },
      ],
    }),
    'containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
  ],
  [
    'a port on the network of the node that is another there',
    { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }] },
    'containers[0].ports[0].containerPort: Invalid value: 1: must match `hostPort` when `hostNetwork` is true',
  ],
  [
    'a variable from nowhere',
    variable({}),
    'containers[0].env[0].valueFrom: Invalid value: "": ' +
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  ],
  [
    'a variable from two places',
    variable({ fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } }),
    'containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
  ],
  [
    'a variable with a value and a source',
    variable({ fieldRef: { fieldPath: 'metadata.name' } }, { value: 'x' }),
    'containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'a variable from a field that is none',
    variable({ fieldRef: { fieldPath: 'spec.x' } }),
    'containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": ' +
      'error converting fieldPath: field label not supported: spec.x',
  ],
  [
    'a variable from a key without a name',
    variable({ configMapKeyRef: { name: 'm' } }),
    'containers[0].env[0].valueFrom.configMapKeyRef.key: Required value',
  ],
  [
    'variables from nowhere',
    inContainer({ envFrom: [{}] }),
    'containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
  ],
  [
    'a mount of no volume',
    inContainer({ volumeMounts: [{ name: 'w', mountPath: '/a' }] }),
    'containers[0].volumeMounts[0].name: Not found: "w"',
  ],
  [
    'a mount of what lies outside its volume',
    inVolume({ emptyDir: {} }, { name: 'v', mountPath: '/a', subPath: '../b' }),
    'containers[0].volumeMounts.subPath: Invalid value: "../b": must not contain \'..\'',
  ],
  [
    'a probe that does nothing',
    inContainer({ livenessProbe: {} }),
    'containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a probe that does two things',
    inContainer({ readinessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
    'containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a liveness that needs two successes',
    inContainer({ livenessProbe: { exec: { command: ['a'] }, successThreshold: 2 } }),
    'containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'a request above its limit',
    inContainer({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    'containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit',
  ],
  [
    'an extended resource without a limit',
    inContainer({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'a part of an extended resource',
    inContainer({ resources: { limits: { 'example.com/gpu': '500m' } } }),
    'containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
  ],
  [
    'a resource of no container',
    inContainer({ resources: { limits: { pods: '1' } } }),
    'containers[0].resources.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
  ],
  [
    'a volume of two kinds',
    inVolume({ emptyDir: {}, secret: { secretName: 's' } }),
    'volumes[0].secret: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a path of the node that climbs',
    inVolume({ hostPath: { path: '/a/../b' } }),
    'volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
  [
    'a file outside its volume',
    inVolume({ configMap: { name: 'm', items: [{ key: 'k', path: '/abs' }] } }),
    'volumes[0].configMap.items[0].path: Invalid value: "/abs": must be a relative path',
  ],
  [
    'a file about nothing',
    inVolume({ downwardAPI: { items: [{ path: 'a' }] } }),
    'volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ],
  [
    'a toleration of nothing',
    inSpec({ tolerations: [{ operator: 'Equal' }] }),
    'tolerations[0].operator: Invalid value: "Equal": ' +
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'a toleration for a time where nothing is evicted',
    inSpec({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 }] }),
    'tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ],
  [
    'an affinity to no node',
    inSpec({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    }),
    'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: ' +
      'Required value: must have at least one node selector term',
  ],
  [
    'an affinity to pods of nowhere',
    inSpec({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
    'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
    `affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'no name server of its own',
    inSpec({ dnsPolicy: 'None' }),
    'dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
  ],
  [
    'processes shared with each other and the node',
    inSpec({ hostPID: true, shareProcessNamespace: true }),
    'securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
  ],
  [
    'a profile of the node without a place',
    inSpec({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
    'securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ],
];

describe('a pod spec', () => {
  for (const [what, spec, ...expected] of refused) {
    it(`is refused with ${what}`, () => {
      const errors = validatePodSpec(spec, 'spec').map(({ field, message }) => `${field}: ${message}`);
      assert.deepEqual(
        errors,
        expected.map((error) => `spec.${error}`),
      );
    });
  }

  it('is taken with everything in order', () => {
    const spec = {
      volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }],
      containers: [
        {
          ...container,
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }],
          volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a/b' }],
          resources: { requests: { cpu: '1' }, limits: { 'example.com/gpu': '2', memory: '1Gi' } },
          readinessProbe: { httpGet: { path: '/', port: 'web', scheme: 'HTTP' } },
        },
      ],
      tolerations: [{ operator: 'Exists' }],
    };
    assert.deepEqual(validatePodSpec(spec, 'spec'), []);
  });
});
