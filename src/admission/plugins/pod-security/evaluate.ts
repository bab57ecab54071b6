import * as baseline from './baseline-checks.ts';
import type { Check, CheckedPod, Violation } from './checked-pod.ts';
import type { Level, LevelVersion } from './level-version.ts';
import * as profiles from './profile-checks.ts';
import * as restricted from './restricted-checks.ts';

/** A check as of a release. */
interface VersionedCheck {
  /** The minor number of the first release that has it. */
  readonly since: number;
  readonly check: Check;
}

/** A rule of the Pod Security Standards. */
interface Rule {
  /** As in kube-apiserver, which reports violations in the order of these names within a level. */
  readonly id: string;
  /** The versions in the order of their releases. */
  readonly versions: readonly VersionedCheck[];
  /** The baseline rule that a restricted one includes, so that it is not reported twice. */
  readonly replaces?: string;
}

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const safeSince27 = [...safeSysctls, 'net.ipv4.ip_local_reserved_ports'];
const safeSince29 = [
  ...safeSince27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const safeSince32 = [...safeSince29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const containerTypes = ['container_t', 'container_init_t', 'container_kvm_t'];

const always = (check: Check): readonly VersionedCheck[] => [{ since: 0, check }];

/** Restricted rules that concern Linux only, since 1.25. */
const onLinux = (since: number, check: Check): readonly VersionedCheck[] => [
  { since, check },
  { since: 25, check: restricted.notOnWindows(check) },
];

/** The rules of each level that the looser levels do not have. */
const rules: Readonly<Record<Exclude<Level, 'privileged'>, readonly Rule[]>> = {
  baseline: [
    { id: 'appArmorProfile', versions: always(profiles.appArmorProfile) },
    { id: 'capabilities_baseline', versions: always(baseline.capabilities) },
    { id: 'hostNamespaces', versions: always(baseline.hostNamespaces) },
    { id: 'hostPathVolumes', versions: always(baseline.hostPathVolumes) },
    { id: 'hostPorts', versions: always(baseline.hostPorts) },
    { id: 'hostProbesAndHostLifecycle', versions: [{ since: 34, check: baseline.hostProbes }] },
    { id: 'privileged', versions: always(baseline.privileged) },
    { id: 'procMount', versions: always(baseline.procMount) },
    {
      id: 'seLinuxOptions',
      versions: [
        { since: 0, check: profiles.seLinuxOptions(containerTypes) },
        { since: 31, check: profiles.seLinuxOptions([...containerTypes, 'container_engine_t']) },
      ],
    },
    {
      id: 'seccompProfile_baseline',
      versions: [
        { since: 0, check: profiles.seccompAnnotation },
        { since: 19, check: profiles.seccompProfile },
      ],
    },
    {
      id: 'sysctls',
      versions: [
        { since: 0, check: baseline.sysctls(safeSysctls) },
        { since: 27, check: baseline.sysctls(safeSince27) },
        { since: 29, check: baseline.sysctls(safeSince29) },
        { since: 32, check: baseline.sysctls(safeSince32) },
      ],
    },
    { id: 'windowsHostProcess', versions: always(baseline.windowsHostProcess) },
  ],
  restricted: [
    { id: 'allowPrivilegeEscalation', versions: onLinux(8, restricted.allowPrivilegeEscalation) },
    {
      id: 'capabilities_restricted',
      versions: onLinux(22, restricted.onlyBindCapability),
      replaces: 'capabilities_baseline',
    },
    { id: 'restrictedVolumes', versions: always(restricted.volumeTypes), replaces: 'hostPathVolumes' },
    { id: 'runAsNonRoot', versions: always(restricted.runAsNonRoot) },
    { id: 'runAsUser', versions: [{ since: 23, check: restricted.runAsUser }] },
    {
      id: 'seccompProfile_restricted',
      versions: onLinux(19, restricted.requiredSeccompProfile),
      replaces: 'seccompProfile_baseline',
    },
  ],
};

/** Checks Pods against levels of the Pod Security Standards. */
export type Evaluate = (pod: CheckedPod, level: LevelVersion) => readonly Violation[];

/** The last release that changes the standards here. */
const lastChange = Math.max(...Object.values(rules).flatMap((list) => list.flatMap(changesOf)));

/**
 * Returns an evaluation that knows the standards up to a release, given by its minor number. Later
 * versions count as this release.
 */
export function evaluator(release: number): Evaluate {
  const newest = Math.min(release, lastChange);
  const known = new Map<string, readonly Check[]>();
  return (pod, { level, version }) => {
    if (level === 'privileged') return [];
    const effective = Math.min(version, newest);
    const key = `${level}:${effective}`;
    const checks = known.get(key) ?? checksOf(level, effective);
    known.set(key, checks);
    return checks.map((check) => check(pod)).filter((violation) => violation !== undefined);
  };
}

function checksOf(level: Exclude<Level, 'privileged'>, version: number): readonly Check[] {
  const inVersion = (list: readonly Rule[]) => list.filter((rule) => checkIn(rule, version));
  const strict = level === 'restricted' ? inVersion(rules.restricted) : [];
  const replaced = new Set(strict.map(({ replaces }) => replaces));
  const all = [...inVersion(rules.baseline).filter(({ id }) => !replaced.has(id)), ...strict];
  return all.map((rule) => checkIn(rule, version)).filter((check) => check !== undefined);
}

function changesOf({ versions }: Rule): readonly number[] {
  return versions.map(({ since }) => since);
}

function checkIn({ versions }: Rule, version: number): Check | undefined {
  return versions.findLast(({ since }) => since <= version)?.check;
}

/** Formats violations with their details. */
export function showViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
