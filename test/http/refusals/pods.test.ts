import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const container = (more: JsonObject): JsonObject => ({ name: 'c', image: 'i', ...more });
const containers = (...list: JsonObject[]): JsonObject => ({ spec: { containers: list } });
const volumes = (list: JsonValue[], mounts: JsonValue[] = []): JsonObject => ({
  spec: { volumes: list, containers: [container({ volumeMounts: mounts })] },
});
const volume = (source: JsonObject): JsonObject => volumes([{ name: 'v', ...source }]);
const at = 'spec.containers[0]';
const source = 'spec.volumes[0]';

const creations: readonly Creation[] = [
  ['pods', 'no containers', containers(), ['spec.containers: Required value']],
  [
    'pods',
    'a container twice, without image, with odd ports',
    containers(
      container({ ports: [{ containerPort: 0 }, { containerPort: 70_000, name: 'Web' }] }),
      container({ image: '' }),
    ),
    [
      `${at}.ports[0].containerPort: Required value`,
      `${at}.ports[1].name: Invalid value: "Web": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
      `${at}.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
      'spec.containers[1].image: Required value',
      'spec.containers[1].name: Duplicate value: "c"',
    ],
  ],
  [
    'pods',
    'a node in spite of gates, which have no proper names or equal ones',
    { spec: { nodeName: 'n', schedulingGates: [{ name: 'a b' }, { name: 'c' }, { name: 'c' }] } },
    [
      "spec.schedulingGates[0]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.schedulingGates[2]: Duplicate value: "c"',
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
  ],
  [
    'pods',
    'an image between spaces',
    containers(container({ image: ' i ' })),
    [`${at}.image: Invalid value: " i ": must not have leading or trailing whitespace`],
  ],
  [
    'podtemplates',
    'an image between spaces, which only pods refuse',
    { template: { spec: { containers: [container({ image: ' i ' })] } } },
    [],
  ],
  [
    'pods',
    'unknown policies',
    { spec: { restartPolicy: 'Sometimes', dnsPolicy: 'Mine' } },
    [
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  ],
  ['pods', 'a grace period that nobody checks', { spec: { terminationGracePeriodSeconds: -1 } }, []],
  [
    'pods',
    'a deadline of no time',
    { spec: { activeDeadlineSeconds: 0 } },
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  ['pods', 'a pull secret without a name, which nobody checks', { spec: { imagePullSecrets: [{}] } }, []],
  [
    'pods',
    'a mount of a volume that is not valid',
    volumes([{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }], [{ name: 'v', mountPath: '/v' }]),
    [
      `${source}.configMap: Forbidden: may not specify more than 1 volume type`,
      `${at}.volumeMounts[0].name: Not found: "v"`,
    ],
  ],
  [
    'pods',
    'a volume of two sources, of which the second one is not read',
    { spec: { volumes: [{ name: 'v', emptyDir: {}, nfs: {} }] } },
    [`${source}.nfs: Forbidden: may not specify more than 1 volume type`],
  ],
  [
    'pods',
    'volumes of two sources, of which the second one has another name in errors',
    { spec: { volumes: [{ name: 'v', emptyDir: {}, cephfs: {}, downwardAPI: { items: [{}] } }] } },
    [
      `${source}.cephFS: Forbidden: may not specify more than 1 volume type`,
      `${source}.downwarAPI: Forbidden: may not specify more than 1 volume type`,
    ],
  ],
  [
    'pods',
    'mounts of one place, inside and outside',
    volumes(
      [{ name: 'v', emptyDir: {} }],
      [
        { name: 'v', mountPath: '/v', subPath: '../a' },
        { name: 'v', mountPath: '/v', subPath: '/a' },
        { name: 'v', mountPath: '/w', subPath: 'a', subPathExpr: 'b' },
        { name: '', mountPath: '' },
      ],
    ),
    [
      `${at}.volumeMounts.subPath: Invalid value: "../a": must not contain '..'`,
      `${at}.volumeMounts[1].mountPath: Invalid value: "/v": must be unique`,
      `${at}.volumeMounts.subPath: Invalid value: "/a": must be a relative path`,
      `${at}.volumeMounts[2].subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive`,
      `${at}.volumeMounts[3].name: Required value`,
      `${at}.volumeMounts[3].name: Not found: ""`,
      `${at}.volumeMounts[3].mountPath: Required value`,
    ],
  ],
  [
    'pods',
    'a disk without a name in a part too many',
    volume({ gcePersistentDisk: { pdName: '', partition: 256 } }),
    [
      `${source}.persistentDisk.pdName: Required value`,
      `${source}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
    ],
  ],
  [
    'pods',
    'a repository that climbs',
    volume({ gitRepo: { repository: 'r', directory: '../a' } }),
    [`${source}.gitRepo.directory: Invalid value: "../a": must not contain '..'`],
  ],
  [
    'pods',
    'an iSCSI disk that says too little',
    volume({ iscsi: { targetPortal: 'p', iqn: 'x', lun: 256, chapAuthSession: true } }),
    [
      `${source}.iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa`,
      `${source}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
      `${source}.iscsi.secretRef: Required value`,
    ],
  ],
  [
    'pods',
    'a Flocker volume of neither kind',
    volume({ flocker: {} }),
    [`${source}.flocker: Required value: one of datasetName and datasetUUID is required`],
  ],
  [
    'pods',
    'a fibre channel without targets',
    volume({ fc: {} }),
    [`${source}.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both`],
  ],
  [
    'pods',
    'a token that does not last',
    {
      spec: {
        serviceAccountName: 'a',
        volumes: [
          { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 1 } }] } },
        ],
      },
    },
    [
      `${source}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes`,
    ],
  ],
  [
    'pods',
    'tokens in no file, and in one that only the node refuses',
    {
      spec: {
        serviceAccountName: 'a',
        volumes: [
          { name: 'v', projected: { sources: [{ serviceAccountToken: { path: '' } }] } },
          { name: 'w', projected: { sources: [{ serviceAccountToken: { path: '../t' } }] } },
        ],
      },
    },
    [`${source}.projected.path: Required value`],
  ],
  [
    'pods',
    'kernel parameters without a name, and one twice',
    { spec: { securityContext: { sysctls: [{ name: '' }, { name: '' }, { name: 'a.b' }, { name: 'a.b' }] } } },
    [
      'spec.securityContext.sysctls[0].name: Required value',
      'spec.securityContext.sysctls[1].name: Required value',
      'spec.securityContext.sysctls[3].name: Duplicate value: "a.b"',
    ],
  ],
  [
    'pods',
    'two files in one place',
    volume({
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'a', path: 'p' }] } },
          { configMap: { name: 'm', items: [{ key: 'b', path: 'p' }] } },
        ],
      },
    }),
    [`${source}.projected: Invalid value: "m": conflicting duplicate paths`],
  ],
  [
    'pods',
    'modes that are none',
    volume({ secret: { secretName: 's', defaultMode: 512, items: [{ key: 'k', path: 'p', mode: -1 }] } }),
    [
      `${source}.secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
      `${source}.secret.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive`,
    ],
  ],
  [
    'pods',
    'a CSI driver without a name',
    volume({ csi: { driver: 'd'.repeat(64), nodePublishSecretRef: {} } }),
    [
      `${source}.csi.driver: Too long: must have at most 63 bytes`,
      `${source}.csi.nodePublishSecretRef .name: Required value`,
    ],
  ],
  [
    'pods',
    'a volume of its own that asks for nothing',
    volume({ ephemeral: { volumeClaimTemplate: { spec: {} } } }),
    [
      `${source}.ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required`,
      `${source}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value`,
    ],
  ],
  [
    'pods',
    'a mirror of a pod on no node',
    { metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } } },
    [
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "h": must set spec.nodeName if mirror pod annotation is set',
    ],
  ],
  [
    'pods',
    'security that contradicts itself',
    {
      spec: {
        hostPID: true,
        shareProcessNamespace: true,
        securityContext: {
          runAsUser: -1,
          fsGroup: -2,
          supplementalGroups: [-3],
          sysctls: [{ name: 'a b', value: '' }],
        },
      },
    },
    [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.supplementalGroups[0]: Invalid value: -3: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.fsGroup: Invalid value: -2: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.sysctls[0].name: Invalid value: "a b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
    ],
  ],
  [
    'pods',
    'amounts that do not fit',
    containers(
      container({
        resources: { limits: { cpu: '1' }, requests: { cpu: '2', foo: '1', memory: '-1' } },
      }),
    ),
    [
      `${at}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit`,
      `${at}.resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
      `${at}.resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers`,
      `${at}.resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0`,
    ],
  ],
  [
    'pods',
    'probes without handlers',
    containers(
      container({
        livenessProbe: { periodSeconds: -1, successThreshold: 2 },
        readinessProbe: { httpGet: { path: '/', port: 'a_b' }, tcpSocket: { port: 0 } },
      }),
    ),
    [
      `${at}.livenessProbe: Required value: must specify a handler type`,
      `${at}.livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
      `${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
      `${at}.readinessProbe.httpGet.port: Invalid value: "a_b": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
      `${at}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
    ],
  ],
  [
    'pods',
    'tolerations of nothing',
    { spec: { tolerations: [{ operator: 'Equal' }, { key: 'k', operator: 'In' }, { key: 'k', effect: 'Never' }] } },
    [
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'spec.tolerations[1].operator: Unsupported value: "In": supported values: "Equal", "Exists"',
      'spec.tolerations[2].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'pods',
    'names that are none',
    { spec: { hostname: 'A', subdomain: '-', nodeName: '_', priorityClassName: '' } },
    [
      "spec.nodeName: Invalid value: \"_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      "spec.subdomain: Invalid value: \"-\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    'pods',
    'pods of one group spread by nothing',
    { spec: { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe' }] } },
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Maybe": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'pods',
    'resolvers that are none',
    { spec: { dnsConfig: { nameservers: ['x'], searches: ['A'], options: [{ value: '1' }] } } },
    [
      'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be valid IP address',
      "spec.dnsConfig.searches[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    'pods',
    'an alias of no address',
    { spec: { hostAliases: [{ ip: 'x', hostnames: ['h'] }] } },
    ['spec.hostAliases.ip: Invalid value: "x": must be valid IP address'],
  ],
];

const updates: readonly Update[] = [
  ['pods', 'its image', {}, containers(container({ image: 'j' })), []],
  [
    'pods/status',
    'its addresses, one of which is none',
    {},
    { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: '::x' }] } },
    [
      'status.podIPs[1]: Invalid value: "::x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.podIPs: Internal error: failed to check for dual stack with error:ip <nil> is invalid',
      'status.podIPs: Invalid value: ["10.0.0.1","::x"]: may specify no more than one IP for each IP family',
    ],
  ],
  [
    'pods',
    'its node',
    {},
    { spec: { nodeName: 'n' } },
    [
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)',
    ],
  ],
  [
    'pods',
    'a new gate beside an old one',
    { spec: { schedulingGates: [{ name: 'old' }] } },
    { spec: { schedulingGates: [{ name: 'old' }, { name: 'new' }] } },
    ["spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'new'"],
  ],
  [
    'pods',
    'the number of its containers',
    {},
    containers(container({}), container({ name: 'd' })),
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    'pods',
    'its grace period, once it was less than none',
    { spec: { terminationGracePeriodSeconds: -1 } },
    { spec: { terminationGracePeriodSeconds: 1 } },
    [],
  ],
];

checkRefusals('pods', creations, updates);
