import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const container: JsonObject = { name: 'c', image: 'i' };
const inContainer = (part: JsonObject): JsonObject => ({ spec: { containers: [{ ...container, ...part }] } });
const inSpec = (part: JsonObject): JsonObject => ({ spec: { containers: [container], ...part } });
const inInit = (part: JsonObject, spec: JsonObject = {}): JsonObject =>
  inSpec({ initContainers: [{ name: 's', image: 'i', ...part }], ...spec });
const inVolume = (source: JsonObject, mount: JsonObject = {}): JsonObject => ({
  spec: {
    volumes: [{ name: 'v', ...source }],
    containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }],
  },
});
const projected = (...sources: JsonObject[]): JsonObject => inVolume({ projected: { sources } });
const at = 'spec.containers[0]';
const init = 'spec.initContainers[0]';
const source = 'spec.volumes[0].projected.sources[0]';
const probe = { exec: { command: ['x'] } };
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const sidecars: readonly Creation[] = [
  [
    'pods',
    'a probe of an init container',
    inInit({ readinessProbe: probe }),
    [`${init}.readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always`],
  ],
  [
    'pods',
    'probes and hooks of a sidecar',
    inInit({ restartPolicy: 'Always', readinessProbe: probe, lifecycle: { preStop: { exec: { command: ['x'] } } } }),
    [],
  ],
  [
    'pods',
    'a probe of a sidecar without a handler',
    inInit({ restartPolicy: 'Always', startupProbe: {} }),
    [`${init}.startupProbe: Required value: must specify a handler type`],
  ],
  [
    'pods',
    'rules of a sidecar',
    inInit({
      restartPolicy: 'Always',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
    }),
    [
      `${init}.restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always`,
    ],
  ],
  [
    'pods',
    'an init container that always fails',
    inInit({ restartPolicy: 'Sometimes' }),
    [`${init}.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"`],
  ],
  [
    'pods',
    'rules without a policy',
    inContainer({ restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
    [`${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
  ],
  [
    'pods',
    'rules that say nothing',
    inContainer({
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Stop', exitCodes: { operator: 'Is' } }, { action: 'Restart' }],
    }),
    [
      `${at}.restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
      `${at}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
      `${at}.restartPolicyRules[1].exitCodes: Required value: must be specified`,
    ],
  ],
  [
    'pods',
    'too many rules',
    inContainer({
      restartPolicy: 'Never',
      restartPolicyRules: Array.from({ length: 21 }, () => ({
        action: 'Restart',
        exitCodes: { operator: 'In', values: [1] },
      })),
    }),
    [`${at}.restartPolicyRules: Too many: 21: must have at most 20 items`],
  ],
  [
    'pods',
    'resize policies that contradict each other',
    inSpec({
      restartPolicy: 'Never',
      containers: [
        {
          ...container,
          resizePolicy: [
            { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
            { resourceName: 'cpu', restartPolicy: 'NotRequired' },
            { resourceName: 'x', restartPolicy: 'y' },
          ],
        },
      ],
    }),
    [
      `${at}.resizePolicy[1]: Duplicate value: "cpu"`,
      `${at}.resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when \`restartPolicy\` is 'Never'`,
      `${at}.resizePolicy: Invalid value: "y": must be 'NotRequired' when \`restartPolicy\` is 'Never'`,
      `${at}.resizePolicy: Unsupported value: "x": supported values: "cpu", "memory"`,
      `${at}.resizePolicy: Unsupported value: "y": supported values: "NotRequired", "RestartContainer"`,
    ],
  ],
  [
    'pods',
    'a pause after the end',
    inContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    [
      `${at}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
    ],
  ],
  [
    'pods',
    'a pause and a command',
    inContainer({ lifecycle: { preStop: { exec: { command: ['x'] }, sleep: { seconds: 1 } } } }),
    [`${at}.lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type`],
  ],
  [
    'pods',
    'a signal without a system',
    inContainer({ lifecycle: { stopSignal: 'SIGUSR1' } }),
    [`${at}.lifecycle.stopSignal: Forbidden: may not be set for containers with empty \`spec.os.name\``],
  ],
  [
    'pods',
    'a signal of Linux',
    inSpec({ os: { name: 'linux' }, containers: [{ ...container, lifecycle: { stopSignal: 'SIGRTMIN+3' } }] }),
    [],
  ],
  [
    'pods',
    'a signal of Linux on Windows',
    inSpec({ os: { name: 'windows' }, containers: [{ ...container, lifecycle: { stopSignal: 'SIGUSR1' } }] }),
    [`${at}.lifecycle.stopSignal: Unsupported value: "SIGUSR1": supported values: "SIGKILL", "SIGTERM"`],
  ],
];

const security: readonly Creation[] = [
  [
    'pods',
    'an unknown system',
    inSpec({ os: { name: 'plan9' } }),
    ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  ],
  ['pods', 'no system', inSpec({ os: {} }), ['spec.os.name: Required value']],
  [
    'pods',
    'options of Linux on Windows',
    inSpec({
      os: { name: 'windows' },
      hostPID: true,
      securityContext: { fsGroup: 1, seLinuxChangePolicy: 'Recursive' },
      containers: [{ ...container, securityContext: { privileged: false } }],
    }),
    [
      `${at}.securityContext.privileged: Forbidden: cannot be set for a windows pod`,
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.seLinuxChangePolicy: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    'pods',
    'options of Windows on Linux',
    inSpec({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }),
    ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
  ],
  [
    'pods',
    'users of its own and a namespace of the host',
    inSpec({ hostUsers: false, hostPID: true, hostIPC: true }),
    ['spec.HostIPC: Forbidden: when `hostUsers` is false', 'spec.HostPID: Forbidden: when `hostUsers` is false'],
  ],
  [
    'pods',
    'an unmasked /proc of the host',
    inContainer({ securityContext: { procMount: 'Unmasked' } }),
    [`${at}.securityContext.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``],
  ],
  [
    'pods',
    'an unmasked /proc of its own',
    inSpec({ hostUsers: false, containers: [{ ...container, securityContext: { procMount: 'Unmasked' } }] }),
    [],
  ],
  [
    'pods',
    'an unknown policy of groups',
    inSpec({ securityContext: { supplementalGroupsPolicy: 'x' } }),
    ['spec.securityContext.supplementalGroupsPolicy: Unsupported value: "x": supported values: "Merge", "Strict"'],
  ],
  [
    'pods',
    'a profile without a type',
    inSpec({ securityContext: { appArmorProfile: {} } }),
    ['spec.securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set'],
  ],
  [
    'pods',
    'a profile of another type',
    inSpec({ securityContext: { appArmorProfile: { type: 'x' } } }),
    [
      'spec.securityContext.appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  ],
  [
    'pods',
    'a profile of the node without a name',
    inContainer({ securityContext: { appArmorProfile: { type: 'Localhost' } } }),
    [
      `${at}.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost`,
    ],
  ],
  [
    'pods',
    'a padded profile',
    inContainer({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } } }),
    [`${at}.securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace`],
  ],
  [
    'pods',
    'a long profile',
    inContainer({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(4096) } } }),
    [`${at}.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes`],
  ],
  [
    'pods',
    'a name for no profile',
    inContainer({ securityContext: { appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' } } }),
    [
      `${at}.securityContext.appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost`,
    ],
  ],
  [
    'pods',
    'a host name of its own on the network of the host',
    inSpec({ hostnameOverride: `${'a'.repeat(64)}_`, hostNetwork: true, setHostnameAsFQDN: true }),
    [
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      `spec.hostnameOverride: Invalid value: "${'a'.repeat(64)}_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    ],
  ],
];

const claims: readonly Creation[] = [
  [
    'pods',
    'resource claims without a source, and with two',
    inSpec({
      resourceClaims: [
        { name: 'a' },
        { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
        { name: 'B', resourceClaimName: 'x' },
      ],
    }),
    [
      'spec.resourceClaims[0]: Invalid value: {"name":"a"}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      'spec.resourceClaims[1].name: Duplicate value: "a"',
      'spec.resourceClaims[1]: Invalid value: {"name":"a","resourceClaimName":"x","resourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      `spec.resourceClaims[2].name: Invalid value: "B": ${label}`,
    ],
  ],
  [
    'pods',
    'a claim that it does not have',
    inContainer({ resources: { claims: [{ name: 'gpu' }] } }),
    [`${at}.resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`],
  ],
  [
    'pods',
    'a claim twice',
    inSpec({
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'x' }],
      containers: [
        { ...container, resources: { claims: [{ name: 'gpu' }, { name: 'gpu', request: 'r' }, { name: 'x' }] } },
      ],
    }),
    [
      `${at}.resources.claims[1]: Duplicate value: "gpu"`,
      `${at}.resources.claims[2]: Not found: "x": must be one of the names in pod.spec.resourceClaims: gpu`,
    ],
  ],
  [
    'pods',
    'less for the pod than its containers request',
    inSpec({
      resources: { requests: { cpu: '1' }, limits: { cpu: '1', storage: '1' } },
      containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } }],
    }),
    [
      'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 1',
      'spec.resources.limits[storage]: Unsupported value: "storage": supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
    ],
  ],
  [
    'pods',
    'claims of the whole pod',
    inSpec({ resources: { claims: [{ name: 'x' }] } }),
    ['spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level'],
  ],
  [
    'pods',
    'amounts on Windows',
    inSpec({ os: { name: 'windows' }, resources: { limits: { cpu: '1' } } }),
    ['spec.resources: Forbidden: may not be set for a windows pod'],
  ],
];

const volumes: readonly Creation[] = [
  ['pods', 'an image volume of nothing', inVolume({ image: {} }), ['spec.volumes[0].image.reference: Required value']],
  ['pods', 'an image volume at a path', inVolume({ image: { reference: 'r' } }, { subPath: 'a' }), []],
  [
    'pods',
    'an image that is pulled somehow',
    inVolume({ image: { reference: 'r', pullPolicy: 'x' } }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      'spec.volumes[0].image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  [
    'pods',
    'a mount that is read-only in part',
    inVolume({ emptyDir: {} }, { recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }),
    [
      `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified`,
      `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
    ],
  ],
  [
    'pods',
    'a mount that is read-only at times',
    inVolume({ emptyDir: {} }, { readOnly: true, recursiveReadOnly: 'x' }),
    [
      `${at}.volumeMounts.recursiveReadOnly: Unsupported value: "x": supported values: "Disabled", "Enabled", "IfPossible"`,
    ],
  ],
  [
    'pods',
    'a bundle by name and by signer',
    projected({ clusterTrustBundle: { name: 'a', signerName: 'a.com/b', path: 'p' } }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}.clusterTrustBundle: Invalid value: {"name":"a","signerName":"a.com/b","path":"p"}: only one of name and signerName may be used`,
    ],
  ],
  [
    'pods',
    'a bundle of nobody',
    projected({ clusterTrustBundle: {} }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}.clusterTrustBundle: Required value: either name or signerName must be specified`,
      `${source}.clusterTrustBundle.path: Required value`,
    ],
  ],
  [
    'pods',
    'a bundle and a selector',
    projected({ clusterTrustBundle: { name: 'a', labelSelector: {}, path: 'p' } }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}.clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified`,
    ],
  ],
  [
    'pods',
    'a certificate that is written nowhere',
    projected({ podCertificate: { signerName: 'a.com/b', keyType: 'DSA', maxExpirationSeconds: 60 } }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}.podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`,
      `${source}.podCertificate.keyType: Unsupported value: "DSA": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
      `${source}.podCertificate.maxExpirationSeconds: Invalid value: 60: if provided, maxExpirationSeconds must be >= 3600`,
    ],
  ],
  [
    'pods',
    'a certificate of a signer of its own for long',
    projected({
      podCertificate: { signerName: 'kubernetes.io/b', keyType: 'ED25519', keyPath: 'k', maxExpirationSeconds: 86_401 },
    }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}.podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400`,
    ],
  ],
  [
    'pods',
    'a certificate and a bundle in one file',
    projected(
      { podCertificate: { signerName: 'a.com/b', keyType: 'ED25519', keyPath: 'p' } },
      { clusterTrustBundle: { name: 'a', path: 'p' } },
    ),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      'spec.volumes[0].projected: Invalid value: "p": conflicting duplicate paths',
    ],
  ],
  [
    'pods',
    'a source of two kinds',
    projected({ secret: { name: 's' }, clusterTrustBundle: { name: 'a', path: 'p' } }),
    [
      `${at}.volumeMounts[0].name: Not found: "v"`,
      `${source}: Forbidden: may not specify more than 1 volume type per source`,
    ],
  ],
  [
    'pods',
    'a variable with a sign of equality',
    inContainer({ env: [{ name: 'a=b' }] }),
    [
      `${at}.env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
  ],
  ['pods', 'a variable that begins with a digit', inContainer({ env: [{ name: '1 a' }] }), []],
  [
    'pods',
    'a variable from nowhere',
    inContainer({ env: [{ name: 'A', valueFrom: {} }] }),
    [
      `${at}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
    ],
  ],
  [
    'pods',
    'a variable from a file that is none',
    inContainer({ env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: '../a', key: '' } } }] }),
    [
      `${at}.env[0].valueFrom.fileKeyRef.key: Required value`,
      `${at}.env[0].valueFrom.fileKeyRef.path: Invalid value: "../a": must not contain '..'`,
      `${at}.env[0].valueFrom.fileKeyRef.volumeName: Not found: "v"`,
    ],
  ],
  [
    'pods',
    'a variable from a file of a secret',
    inSpec({
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
      containers: [
        { ...container, env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'a', key: 'k' } } }] },
      ],
    }),
    [`${at}.env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`],
  ],
  [
    'pods',
    'the addresses of its node in a variable',
    inContainer({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.hostIPs' } } }] }),
    [],
  ],
  ['pods', 'a domain with underscores to search', inSpec({ dnsConfig: { searches: ['_tcp.a_b.com', '.'] } }), []],
  [
    'pods',
    'too many domains to search',
    inSpec({ dnsConfig: { searches: Array.from({ length: 33 }, (_, index) => `a${index}`) } }),
    [
      `spec.dnsConfig.searches: Invalid value: ${JSON.stringify(Array.from({ length: 33 }, (_, index) => `a${index}`))}: must not have more than 32 search paths`,
    ],
  ],
  [
    'pods',
    'another port of the host on its network',
    inSpec({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }] }),
    [`${at}.ports[0].hostPort: Invalid value: 2: must match \`containerPort\` when \`hostNetwork\` is true`],
  ],
];

const term = (part: JsonObject): JsonObject =>
  inSpec({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', ...part }] } },
  });
const inTerm = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const spread = (part: JsonObject): JsonObject =>
  inSpec({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule', ...part }],
  });
const inSpread = 'spec.topologySpreadConstraints[0]';

const scheduling: readonly Creation[] = [
  [
    'pods',
    'labels to match without a selector',
    term({ matchLabelKeys: ['a'] }),
    [`${inTerm}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`],
  ],
  [
    'pods',
    'a label to match and not to',
    term({ labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] }),
    [`${inTerm}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`],
  ],
  [
    'pods',
    'a label to match twice',
    {
      metadata: { labels: { a: 'b' } },
      ...term({ labelSelector: { matchLabels: { a: 'b' } }, matchLabelKeys: ['a'] }),
    },
    [`${inTerm}[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`],
  ],
  [
    'pods',
    'labels to spread by without a selector',
    spread({ matchLabelKeys: ['a'] }),
    [`${inSpread}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`],
  ],
  [
    'pods',
    'a label to spread by twice',
    {
      metadata: { labels: { a: 'b' } },
      ...spread({ labelSelector: { matchLabels: { a: 'b' } }, matchLabelKeys: ['a'] }),
    },
    [`${inSpread}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`],
  ],
  [
    'pods',
    'a label to spread by',
    { metadata: { labels: { a: 'b' } }, ...spread({ labelSelector: {}, matchLabelKeys: ['a'] }) },
    [],
  ],
  [
    'pods',
    'domains that are not needed',
    spread({ whenUnsatisfiable: 'ScheduleAnyway', minDomains: 0 }),
    [
      `${inSpread}.minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
      `${inSpread}.minDomains: Invalid value: 0: must be greater than zero`,
    ],
  ],
  [
    'pods',
    'nodes that count at times',
    spread({ nodeTaintsPolicy: 'x' }),
    [`${inSpread}.nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"`],
  ],
];

const gated: JsonObject = inSpec({ schedulingGates: [{ name: 'g' }], nodeSelector: { a: 'b' } });
const nodeTerms = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const zone = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
const inTerms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const running = (name: string): JsonObject => ({
  name,
  ready: true,
  restartCount: 0,
  image: 'i',
  imageID: '',
  state: { terminated: { exitCode: 3 } },
});

const updates: readonly Update[] = [
  ['pods', 'its selector, which gates allow', gated, { spec: { nodeSelector: { c: 'd' } } }, []],
  [
    'pods',
    'its selector in another way',
    gated,
    { spec: { nodeSelector: { a: 'c' } } },
    [
      'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
  ],
  ['pods', 'its affinity, which had none', gated, { spec: nodeTerms(zone) }, []],
  [
    'pods',
    'its affinity to more nodes',
    { spec: { ...(inSpec({ schedulingGates: [{ name: 'g' }] })['spec'] as JsonObject), ...nodeTerms(zone) } },
    { spec: nodeTerms(zone, zone) },
    [
      `${inTerms}: Invalid value: [{"matchExpressions":[{"key":"zone","operator":"Exists"}]},{"matchExpressions":[{"key":"zone","operator":"Exists"}]}]: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
  ],
  [
    'pods',
    'its selector without gates',
    {},
    { spec: { nodeSelector: { c: 'd' } } },
    [
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ],
  ],
  [
    'pods/status',
    'its class',
    {},
    { status: { qosClass: 'Guaranteed' } },
    ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
  ],
  [
    'pods/status',
    'a condition of no type',
    {},
    { status: { conditions: [{ type: 'a b', status: 'True' }] } },
    [
      `status.conditions[0].Type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ],
  [
    'pods/status',
    'a generation below zero',
    {},
    { status: { observedGeneration: -1 } },
    ['status.observedGeneration: Invalid value: -1: must be a non-negative integer'],
  ],
  [
    'pods/status',
    'an address of another host',
    {},
    { status: { hostIP: '1.2.3.4', hostIPs: [{ ip: '1.2.3.5' }] } },
    ['status.hostIPs[0].ip: Invalid value: "1.2.3.5": must be equal to `hostIP`'],
  ],
  [
    'pods/status',
    'a claim that it does not have',
    {},
    { status: { resourceClaimStatuses: [{ name: 'x' }] } },
    [
      'status.resourceClaimStatuses[0].name: Invalid value: "x": must match the name of an entry in `spec.resourceClaims`',
    ],
  ],
  [
    'pods/status',
    'a user that cannot be',
    {},
    { status: { containerStatuses: [{ ...running('c'), user: { linux: { uid: -1, gid: 0 } } }] } },
    ['status.containerStatuses[0].linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
  ],
  [
    'pods/status',
    'devices that are not requested',
    {},
    {
      status: {
        containerStatuses: [
          {
            ...running('c'),
            allocatedResourcesStatus: [{ name: 'gpu', resources: [{ resourceID: 'a', health: 'x' }] }],
          },
        ],
      },
    },
    [
      'status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "gpu": must match one of the container\'s resource requests',
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "x": supported values: "Healthy", "Unhealthy", "Unknown"',
    ],
  ],
];

const burstable = inSpec({
  containers: [{ ...container, resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } } }],
  initContainers: [{ name: 'i', image: 'i' }],
});
const amounts = (resources: JsonObject, part: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ ...container, resources, ...part }] },
});

const resizes: readonly Update[] = [
  [
    'pods/resize',
    'its CPU and memory',
    burstable,
    amounts({ requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '2Gi' } }),
    [],
  ],
  [
    'pods/resize',
    'an image too, which is kept',
    burstable,
    amounts({ requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '2Gi' } }, { image: 'other' }),
    [],
  ],
  [
    'pods/resize',
    'a request that is gone',
    burstable,
    amounts({ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }),
    [`${at}.resources.requests: Forbidden: resource requests cannot be removed`],
  ],
  [
    'pods/resize',
    'another resource',
    burstable,
    amounts({ requests: { cpu: '1', memory: '1Gi', 'a.com/b': '1' }, limits: { memory: '2Gi', 'a.com/b': '1' } }),
    ['spec: Forbidden: only cpu and memory resources are mutable'],
  ],
  [
    'pods/resize',
    'its class',
    amounts({ requests: { cpu: '1', memory: '1Gi' } }),
    amounts({ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } }),
    ['spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing'],
  ],
  [
    'pods/resize',
    'its containers',
    burstable,
    { spec: { containers: [{ ...container, name: 'd' }] } },
    [
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
      `${at}.name: Forbidden: containers may not be renamed or reordered on resize`,
    ],
  ],
  [
    'pods/resize',
    'an init container',
    burstable,
    { spec: { initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '1' } } }] } },
    ['spec: Forbidden: resources for non-sidecar init containers are immutable'],
  ],
  [
    'pods/resize',
    'a pod for Windows',
    inSpec({ os: { name: 'windows' } }),
    amounts({ requests: { cpu: '1' } }),
    [': Forbidden: windows pods cannot be resized'],
  ],
];

const newest = { emulatedRelease: '1.36', emulationForwardCompatible: true } as const;
checkRefusals('sidecars and restarts', sidecars, [], newest);
checkRefusals(
  'security of newer pods',
  [...security, ...claims, ...volumes, ...scheduling],
  [...updates, ...resizes],
  newest,
);
