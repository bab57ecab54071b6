import assert from 'node:assert/strict';
import { checkedPod } from '../../../../src/admission/plugins/pod-security/checked-pod.ts';
import { evaluator, showViolations } from '../../../../src/admission/plugins/pod-security/evaluate.ts';
import { latestVersion, type Level } from '../../../../src/admission/plugins/pod-security/level-version.ts';
import type { Pod } from '../../../../src/gen/stored/core-v1.ts';
import { copyJsonObject, type JsonObject } from '../../../../src/meta/json-value.ts';
import { makeObjectAt, objectsAt } from '../../../../src/meta/read-field.ts';

const evaluate = evaluator(latestVersion);

/** The violations of a Pod, as in messages. */
function violationsOf(pod: JsonObject, level: Level, version = latestVersion): string {
  return showViolations(evaluate(checkedPod(pod as Pod, 'kubernetes.io'), { level, version }));
}

const minimal = (): JsonObject => ({
  metadata: { name: 'p', annotations: {} },
  spec: { initContainers: [{ name: 'i', image: 'x' }], containers: [{ name: 'c', image: 'x' }] },
});

/** The least Pod that the restricted level allows. */
const hardened = (): JsonObject => {
  const pod = minimal();
  const spec = makeObjectAt(pod, 'spec');
  spec['securityContext'] = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  for (const container of containersOf(pod)) {
    container['securityContext'] = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  }
  return pod;
};

function containersOf(pod: JsonObject): readonly JsonObject[] {
  const spec = makeObjectAt(pod, 'spec');
  return [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
}

type PodChange = (pod: JsonObject) => void;

const inSpec =
  (fields: JsonObject): PodChange =>
  (pod) =>
    void Object.assign(makeObjectAt(pod, 'spec'), copyJsonObject(fields));
const inPodSecurity =
  (fields: JsonObject): PodChange =>
  (pod) =>
    void Object.assign(makeObjectAt(makeObjectAt(pod, 'spec'), 'securityContext'), fields);
const inContainer =
  (fields: JsonObject, index = 1): PodChange =>
  (pod) =>
    void Object.assign(containersOf(pod)[index] ?? {}, copyJsonObject(fields));
const inSecurity =
  (fields: JsonObject, ...indexes: readonly number[]): PodChange =>
  (pod) => {
    for (const index of indexes.length > 0 ? indexes : [1])
      Object.assign(makeObjectAt(containersOf(pod)[index] ?? {}, 'securityContext'), copyJsonObject(fields));
  };
const annotated =
  (key: string, value: string): PodChange =>
  (pod) =>
    void (makeObjectAt(makeObjectAt(pod, 'metadata'), 'annotations')[key] = value);

const changed = (pod: JsonObject, change: PodChange): JsonObject => {
  change(pod);
  return pod;
};

interface Fixture {
  /** The version from which the violations are reported, and that at which they end. */
  readonly since?: number;
  readonly until?: number;
  readonly allowed: readonly PodChange[];
  readonly refused: readonly (readonly [change: PodChange, violations: string])[];
}

const appArmor = 'container.apparmor.security.beta.kubernetes.io/c';
const volume = (source: JsonObject) => inSpec({ volumes: [{ name: 'v', ...source }] });

const baseline: Readonly<Record<string, Fixture>> = {
  appArmorProfile: {
    allowed: [annotated(appArmor, 'runtime/default'), annotated(appArmor, 'localhost/x'), annotated(appArmor, '')],
    refused: [
      [annotated(appArmor, 'unconfined'), `forbidden AppArmor profile (${appArmor}="unconfined")`],
      [
        inSecurity({ appArmorProfile: { type: 'Unconfined' } }),
        'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
      ],
    ],
  },
  hostNamespaces: {
    allowed: [inSpec({ hostNetwork: false })],
    refused: [
      [inSpec({ hostNetwork: true }), 'host namespaces (hostNetwork=true)'],
      [inSpec({ hostIPC: true, hostPID: true }), 'host namespaces (hostPID=true, hostIPC=true)'],
    ],
  },
  hostPorts: {
    allowed: [inContainer({ ports: [{ containerPort: 80, hostPort: 0 }] })],
    refused: [
      [inContainer({ ports: [{ hostPort: 80 }] }), 'hostPort (container "c" uses hostPort 80)'],
      [
        (pod) => [0, 1].forEach((index) => inContainer({ ports: [{ hostPort: 80 + index }] }, index)(pod)),
        'hostPort (containers "i", "c" use hostPorts 80, 81)',
      ],
    ],
  },
  hostProbes: {
    since: 34,
    allowed: [inContainer({ livenessProbe: { httpGet: { port: 80 } } })],
    refused: [
      [
        inContainer({ livenessProbe: { httpGet: { port: 80, host: '10.0.0.1' } } }),
        'probe or lifecycle host (container "c" uses probe or lifecycle host "10.0.0.1")',
      ],
      [
        inContainer({ lifecycle: { preStop: { tcpSocket: { port: 80, host: 'h' } } } }),
        'probe or lifecycle host (container "c" uses probe or lifecycle host "h")',
      ],
    ],
  },
  privileged: {
    allowed: [inSecurity({ privileged: false })],
    refused: [
      [
        inSecurity({ privileged: true }, 0, 1),
        'privileged (containers "i", "c" must not set securityContext.privileged=true)',
      ],
      [
        inSpec({ ephemeralContainers: [{ name: 'e', securityContext: { ...hardenedContext(), privileged: true } }] }),
        'privileged (container "e" must not set securityContext.privileged=true)',
      ],
    ],
  },
  procMount: {
    allowed: [inSecurity({ procMount: 'Default' })],
    refused: [
      [
        inSecurity({ procMount: 'Unmasked' }),
        'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
      ],
    ],
  },
  seLinuxOptions: {
    allowed: ['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t', ''].map((type) =>
      inPodSecurity({ seLinuxOptions: { type, level: 's0' } }),
    ),
    refused: [
      [
        inPodSecurity({ seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } }),
        'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
      ],
      [
        inSecurity({ seLinuxOptions: { user: 'u' } }),
        'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: user may not be set)',
      ],
    ],
  },
  'seLinuxOptions of container engines': {
    until: 31,
    allowed: [],
    refused: [
      [
        inSecurity({ seLinuxOptions: { type: 'container_engine_t' } }),
        'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
      ],
    ],
  },
  seccompProfile: {
    since: 19,
    allowed: [inSecurity({ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } })],
    refused: [
      [
        (pod) => {
          inPodSecurity({ seccompProfile: { type: 'Unconfined' } })(pod);
          inSecurity({ seccompProfile: { type: 'Unconfined' } })(pod);
        },
        'seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
      ],
    ],
  },
  'seccomp in annotations': {
    until: 19,
    allowed: [annotated('seccomp.security.alpha.kubernetes.io/pod', 'docker/default')],
    refused: [
      [
        annotated('container.seccomp.security.alpha.kubernetes.io/c', 'unconfined'),
        'seccompProfile (forbidden annotation container.seccomp.security.alpha.kubernetes.io/c="unconfined")',
      ],
    ],
  },
  sysctls: {
    allowed: [
      inPodSecurity({ sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] }),
      inPodSecurity({ sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] }),
    ],
    refused: [[inPodSecurity({ sysctls: [{ name: 'a' }, { name: 'b' }] }), 'forbidden sysctls (a, b)']],
  },
  ...Object.fromEntries(
    (
      [
        [27, 'ip_local_reserved_ports'],
        [29, 'tcp_keepalive_time'],
        [32, 'tcp_wmem'],
      ] as const
    ).map(([until, name]) => [
      `net.ipv4.${name}`,
      {
        until,
        allowed: [],
        refused: [[inPodSecurity({ sysctls: [{ name: `net.ipv4.${name}` }] }), `forbidden sysctls (net.ipv4.${name})`]],
      } satisfies Fixture,
    ]),
  ),
  windowsHostProcess: {
    allowed: [inSecurity({ windowsOptions: { hostProcess: false } })],
    refused: [
      [
        inPodSecurity({ windowsOptions: { hostProcess: true } }),
        'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
      ],
    ],
  },
};

/** Baseline rules that a restricted one replaces. */
const replaced: Readonly<Record<string, Fixture>> = {
  capabilities: {
    allowed: [inSecurity({ capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } })],
    refused: [
      [
        inSecurity({ capabilities: { add: ['NET_RAW', 'CHOWN', 'BPF'] } }),
        'non-default capabilities (container "c" must not include "BPF", "NET_RAW" in securityContext.capabilities.add)',
      ],
    ],
  },
  hostPathVolumes: {
    allowed: [volume({ nfs: { server: 's', path: '/' } })],
    refused: [[volume({ hostPath: { path: '/' } }), 'hostPath volumes (volume "v")']],
  },
};

const restricted: Readonly<Record<string, Fixture>> = {
  allowPrivilegeEscalation: {
    since: 8,
    allowed: [],
    refused: [
      [
        inSecurity({ allowPrivilegeEscalation: true }),
        'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
      ],
    ],
  },
  capabilities: {
    since: 22,
    allowed: [inSecurity({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })],
    refused: [
      [
        inSecurity({ capabilities: { drop: ['CHOWN'], add: ['CHOWN'] } }),
        'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; ' +
          'container "c" must not include "CHOWN" in securityContext.capabilities.add)',
      ],
    ],
  },
  volumes: {
    allowed: [
      'configMap',
      'csi',
      'downwardAPI',
      'emptyDir',
      'ephemeral',
      'persistentVolumeClaim',
      'projected',
      'secret',
    ].map((type) => volume({ [type]: {} })),
    refused: [
      [
        inSpec({
          volumes: [
            { name: 'a', iscsi: {} },
            { name: 'b', nfs: {} },
            { name: 'c', emptyDir: {} },
          ],
        }),
        'restricted volume types (volumes "a", "b" use restricted volume types "iscsi", "nfs")',
      ],
      [volume({ rbd: {} }), 'restricted volume types (volume "v" uses restricted volume type "rbd")'],
    ],
  },
  runAsNonRoot: {
    allowed: [
      (pod) => {
        inPodSecurity({ runAsNonRoot: null })(pod);
        inSecurity({ runAsNonRoot: true }, 0, 1)(pod);
      },
    ],
    refused: [
      [
        inPodSecurity({ runAsNonRoot: null }),
        'runAsNonRoot != true (pod or containers "i", "c" must set securityContext.runAsNonRoot=true)',
      ],
      [
        inSecurity({ runAsNonRoot: false }),
        'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
      ],
    ],
  },
  runAsUser: {
    since: 23,
    allowed: [inPodSecurity({ runAsUser: 1 })],
    refused: [[inPodSecurity({ runAsUser: 0 }), 'runAsUser=0 (pod must not set runAsUser=0)']],
  },
  seccompProfile: {
    since: 19,
    allowed: [
      (pod) => {
        inPodSecurity({ seccompProfile: null })(pod);
        inSecurity({ seccompProfile: { type: 'RuntimeDefault' } }, 0, 1)(pod);
      },
    ],
    refused: [
      [
        inPodSecurity({ seccompProfile: null }),
        'seccompProfile (pod or containers "i", "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      ],
    ],
  },
};

function hardenedContext(): JsonObject {
  return { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
}

/** Checks the fixtures of one level, starting from a Pod that it allows. */
function describeLevel(
  level: Level,
  start: () => JsonObject,
  looser: Level,
  fixtures: Readonly<Record<string, Fixture>>,
): void {
  for (const [name, { since = 0, until = latestVersion, allowed, refused }] of Object.entries(fixtures)) {
    const version = Math.min(since + 20, until - 1);
    it(`has the rule ${name} at ${level}`, () => {
      for (const change of allowed) {
        const newest = until === latestVersion ? latestVersion : version;
        assert.equal(violationsOf(changed(start(), change), level, newest), '');
      }
      for (const [change, violations] of refused) {
        const pod = changed(start(), change);
        const effective = until === latestVersion ? latestVersion : version;
        assert.equal(violationsOf(pod, level, effective), violations);
        assert.equal(violationsOf(pod, looser, effective), '');
        if (since > 0) assert.equal(violationsOf(pod, level, since - 1), '');
        if (until < latestVersion) assert.equal(violationsOf(pod, level, until), '');
      }
    });
  }
}

describe('the Pod Security Standards', () => {
  it('allow a minimal Pod up to baseline, and a hardened one at every level', () => {
    for (const version of [0, 8, 19, 22, 23, 25, latestVersion]) {
      assert.equal(violationsOf(minimal(), 'baseline', version), '');
      assert.equal(violationsOf(hardened(), 'restricted', version), '');
    }
    assert.equal(
      violationsOf(minimal(), 'restricted'),
      'allowPrivilegeEscalation != false (containers "i", "c" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (containers "i", "c" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or containers "i", "c" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or containers "i", "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
  });

  describeLevel('baseline', minimal, 'privileged', { ...baseline, ...replaced });
  describeLevel('restricted', hardened, 'baseline', restricted);

  it('report what baseline refuses before what only the restricted level refuses', () => {
    const pod = changed(changed(hardened(), inSpec({ hostPID: true })), inPodSecurity({ runAsUser: 0 }));
    assert.equal(
      violationsOf(pod, 'restricted'),
      'host namespaces (hostPID=true), runAsUser=0 (pod must not set runAsUser=0)',
    );
  });

  it('report what both levels refuse once', () => {
    const pod = changed(hardened(), volume({ hostPath: {} }));
    assert.equal(
      violationsOf(pod, 'restricted'),
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    );
  });

  it('ask Pods on Windows for no Linux settings since 1.25', () => {
    const pod = changed(minimal(), inSpec({ os: { name: 'windows' }, securityContext: { runAsNonRoot: true } }));
    assert.equal(violationsOf(pod, 'restricted', 25), '');
    assert.notEqual(violationsOf(pod, 'restricted', 24), '');
  });

  it('are those of the emulated release if a later version is asked for', () => {
    const evaluateOld = evaluator(22);
    const pod = checkedPod(changed(hardened(), inPodSecurity({ runAsUser: 0 })) as Pod, 'kubernetes.io');
    for (const version of [22, 23, latestVersion]) {
      assert.deepEqual(evaluateOld(pod, { level: 'restricted', version }), []);
    }
  });
});
