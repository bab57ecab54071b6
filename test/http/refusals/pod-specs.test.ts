import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation } from './check-refusals.ts';

const container: JsonObject = { name: 'c', image: 'i' };
const inContainer = (part: JsonObject): JsonObject => ({ spec: { containers: [{ ...container, ...part }] } });
const inSpec = (part: JsonObject): JsonObject => ({ spec: { containers: [container], ...part } });
const inVolume = (source: JsonObject, ...volumeMounts: JsonObject[]): JsonObject => ({
  spec: { volumes: [{ name: 'v', ...source }], containers: [{ ...container, volumeMounts }] },
});
const variable = (valueFrom: JsonObject, rest: JsonObject = {}): JsonObject =>
  inContainer({ env: [{ name: 'A', valueFrom, ...rest }] });
const at = 'spec.containers[0]';
const affinity = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const qualifiedName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const creations: readonly Creation[] = [
  [
    'pods',
    'two containers without a name, one of them for the start',
    inSpec({ initContainers: [{ image: 'i' }], containers: [{ image: 'i' }] }),
    [
      `${at}.name: Required value`,
      'spec.initContainers[0].name: Required value',
      'spec.initContainers[0].name: Duplicate value: ""',
    ],
  ],
  [
    'pods',
    'a probe of an init container',
    inSpec({ initContainers: [{ name: 'i', image: 'i', livenessProbe: {} }] }),
    [
      'spec.initContainers[0].livenessProbe: Required value: must specify a handler type',
      'spec.initContainers[0].livenessProbe: Invalid value: {"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}: must not be set for init containers',
    ],
  ],
  [
    'pods',
    'a port of the node twice',
    inContainer({
      ports: [
        { containerPort: 1, hostPort: 80, protocol: 'TCP' },
        { containerPort: 2, hostPort: 80, protocol: 'TCP' },
      ],
    }),
    [`${at}.ports[1].hostPort: Duplicate value: "TCP//80"`],
  ],
  [
    'pods',
    'a port on the network of the node that is another there',
    inSpec({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }] }),
    [`${at}.ports[0].containerPort: Invalid value: 1: must match \`hostPort\` when \`hostNetwork\` is true`],
  ],
  [
    'pods',
    'a variable from nowhere',
    variable({}),
    [
      `${at}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
    ],
  ],
  [
    'pods',
    'a variable from two places',
    variable({ fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } }),
    [`${at}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time`],
  ],
  [
    'pods',
    'a variable with a value and a source',
    variable({ fieldRef: { fieldPath: 'metadata.name' } }, { value: 'x' }),
    [`${at}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
  ],
  [
    'pods',
    'a variable from a field that is none',
    variable({ fieldRef: { fieldPath: 'spec.x' } }),
    [
      `${at}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x`,
    ],
  ],
  [
    'pods',
    'a variable from a key without a name',
    variable({ configMapKeyRef: { name: 'm' } }),
    [`${at}.env[0].valueFrom.configMapKeyRef.key: Required value`],
  ],
  [
    'pods',
    'variables from nowhere',
    inContainer({ envFrom: [{}] }),
    [`${at}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``],
  ],
  [
    'pods',
    'a mount of no volume',
    inContainer({ volumeMounts: [{ name: 'w', mountPath: '/a' }] }),
    [`${at}.volumeMounts[0].name: Not found: "w"`],
  ],
  [
    'pods',
    'a mount of what lies outside its volume',
    inVolume({ emptyDir: {} }, { name: 'v', mountPath: '/a', subPath: '../b' }),
    [`${at}.volumeMounts.subPath: Invalid value: "../b": must not contain '..'`],
  ],
  [
    'pods',
    'an extended resource without a limit',
    inContainer({ resources: { requests: { 'example.com/gpu': '1' } } }),
    [`${at}.resources.limits: Required value: Limit must be set for non overcommitable resources`],
  ],
  [
    'pods',
    'a part of an extended resource',
    inContainer({ resources: { limits: { 'example.com/gpu': '500m' } } }),
    [
      `${at}.resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
      `${at}.resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer`,
    ],
  ],
  [
    'pods',
    'a resource of no container',
    inContainer({ resources: { limits: { pods: '1' } } }),
    [
      `${at}.resources.limits[pods]: Invalid value: "pods": must be a standard resource for containers`,
      `${at}.resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers`,
    ],
  ],
  [
    'pods',
    'a volume of two kinds',
    inVolume({ emptyDir: {}, secret: { secretName: 's' } }),
    ['spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'pods',
    'a path of the node that climbs',
    inVolume({ hostPath: { path: '/a/../b' } }),
    [`spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
  ],
  [
    'pods',
    'a file outside its volume',
    inVolume({ configMap: { name: 'm', items: [{ key: 'k', path: '/abs' }] } }),
    ['spec.volumes[0].configMap.items[0].path: Invalid value: "/abs": must be a relative path'],
  ],
  [
    'pods',
    'a file about nothing',
    inVolume({ downwardAPI: { items: [{ path: 'a' }] } }),
    ['spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required'],
  ],
  [
    'pods',
    'a file of a downward API volume with a field that has no name',
    inVolume({ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: '' } }] } }),
    [
      'spec.volumes[0].downwardAPI.items[0].fieldRef.fieldPath: Required value',
      'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Required value',
    ],
  ],
  [
    'pods',
    'a toleration for a time where nothing is evicted',
    inSpec({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 }] }),
    [
      `spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
    ],
  ],
  [
    'pods',
    'an affinity to no node',
    inSpec({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    }),
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  ],
  [
    'pods',
    'an affinity to pods of nowhere',
    inSpec({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
    [
      `${affinity}.topologyKey: Required value: can not be empty`,
      `${affinity}.topologyKey: Invalid value: "": name part must be non-empty`,
      `${affinity}.topologyKey: Invalid value: "": ${qualifiedName}`,
    ],
  ],
  [
    'pods',
    'no name server of its own',
    inSpec({ dnsPolicy: 'None' }),
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'pods',
    'no name server of its own, beside other mistakes',
    inSpec({ dnsPolicy: 'None', dnsConfig: { searches: ['A_'], options: [{}] } }),
    ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
  ],
  [
    'pods',
    'a profile of the node without a place',
    inSpec({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
    [
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
  ],
  [
    'pods',
    'a field in a version that is none',
    variable({ fieldRef: { apiVersion: 'v9', fieldPath: 'metadata.name' } }),
    [
      `${at}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v9`,
    ],
  ],
  [
    'pods',
    'a part of a field that has none',
    variable({ fieldRef: { fieldPath: "metadata.name['x']" } }),
    [
      `${at}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name['x']": error converting fieldPath: field label does not support subscript: metadata.name['x']`,
    ],
  ],
  [
    'pods',
    'a divisor that is no unit',
    variable({ resourceFieldRef: { resource: 'limits.memory', divisor: '3' } }),
    [
      `${at}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource`,
    ],
  ],
  [
    'pods',
    'a disk of no known kind, before its address',
    inVolume({ azureDisk: { diskName: 'd', diskURI: 'x', kind: 'z' } }),
    [
      'spec.volumes[0].azureDisk.kind: Unsupported value: "z": supported values: "Dedicated", "Managed", "Shared"',
      'spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
    ],
  ],
  [
    'pods',
    'a repository that is missing, before its directory',
    inVolume({ gitRepo: { directory: '/a' } }),
    [
      'spec.volumes[0].gitRepo.repository: Required value',
      'spec.volumes[0].gitRepo.directory: Invalid value: "/a": must be a relative path',
    ],
  ],
  [
    'pods',
    'an address of a port of the node, which is not checked',
    inContainer({ ports: [{ containerPort: 80, hostPort: 80, hostIP: 'anywhere' }] }),
    [],
  ],
  [
    'pods',
    'nothing wrong',
    {
      spec: {
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
      },
    },
    [],
  ],
];

checkRefusals('pod specs', creations);
