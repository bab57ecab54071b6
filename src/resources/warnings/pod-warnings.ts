import type { Affinity, PodAffinityTerm, PodSpec, PodTemplateSpec } from '../../gen/types/core-v1.ts';
import {
  environmentWarnings,
  type PlacedContainer,
  placedContainers,
  portNameWarnings,
  portWarnings,
  resourceWarnings,
} from './container-warnings.ts';
import { ipWarnings } from './ip-warnings.ts';
import { labelAdvice, labelKeyWarnings, selectorTermWarnings } from './node-label-warnings.ts';
import { volumeKindWarnings } from './pod-volume-warnings.ts';
import { fractionWarnings } from './quantity-warnings.ts';
import { volumePathWarnings } from './volume-path-warnings.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';

/** A pod or a pod template, with its path: `spec.template`, '' for a pod. */
interface WarnedPod {
  readonly path: string;
  readonly spec: PodSpec;
  readonly annotations: Readonly<Record<string, string>>;
  readonly emulated: WarningRelease;
}

/** Returns the warnings about a part of a pod. */
type PodCheck = (pod: WarnedPod) => readonly string[];

/** The warnings about the pod template at a path. */
export function templateWarnings(
  path: string,
  { metadata, spec }: PodTemplateSpec,
  emulated: WarningRelease,
): readonly string[] {
  return spec === undefined ? [] : podWarnings({ path, spec, annotations: metadata?.annotations ?? {}, emulated });
}

/** The warnings about a pod or template, in the order of kube-apiserver. */
export function podWarnings(pod: WarnedPod): readonly string[] {
  return checks.flatMap((check) => check(pod));
}

/** Warnings from a release on. */
const from =
  (since: string, check: PodCheck): PodCheck =>
  (pod) =>
    warnsSince(pod.emulated, since) ? check(pod) : [];

/** The annotations without effect, with advice. */
const deadAnnotations: readonly (readonly [name: string, advice: string])[] = [
  ['scheduler.alpha.{label}/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.{label}/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.{label}/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const checks: readonly PodCheck[] = [
  nodeLabelWarnings,
  ({ path, annotations, emulated }) =>
    deadAnnotations.flatMap(([text, advice]) => {
      const name = withDomains(text, emulated);
      return Object.hasOwn(annotations, name) ? [`${joined(path, 'metadata.annotations')}[${name}]: ${advice}`] : [];
    }),
  ({ path, spec, emulated }) => volumeKindWarnings(joined(path, 'spec.volumes'), spec.volumes ?? [], emulated),
  from('1.32', ({ spec }) => volumePathWarnings(spec.volumes ?? [])),
  repeatedNameWarnings,
  ({ path, spec: { overhead = {} } }) =>
    ['memory', 'ephemeral-storage'].flatMap((name) =>
      fractionWarnings(`${joined(path, 'spec.overhead')}[${name}]`, overhead[name]),
    ),
  (pod) => (pod.spec.securityContext?.seccompProfile ? [] : seccompWarnings(pod, 'seccomp.security.alpha.{label}/pod')),
  (pod) => containersOf(pod).flatMap((placed) => containerWarnings(pod, placed)),
  from('1.28', (pod) => portWarnings(containersOf(pod))),
  from('1.27', ({ path, spec: { terminationGracePeriodSeconds: seconds = 0 } }) =>
    seconds < 0
      ? [
          `${joined(path, 'spec.terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : [],
  ),
  from('1.28', affinityWarnings),
  from('1.33', (pod) => portNameWarnings(containersOf(pod))),
  from('1.33', ({ path, spec: { dnsConfig, hostAliases = [] }, emulated }) => [
    ...(dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      ipWarnings(`${joined(path, 'spec.dnsConfig.nameservers')}[${index}]`, address, emulated),
    ),
    ...hostAliases.flatMap(({ ip = '' }, index) =>
      ipWarnings(`${joined(path, 'spec.hostAliases')}[${index}].ip`, ip, emulated),
    ),
  ]),
];

const containersOf = ({ path, spec }: WarnedPod): readonly PlacedContainer[] =>
  placedContainers(joined(path, 'spec'), spec);

function nodeLabelWarnings({ path, spec, emulated }: WarnedPod): readonly string[] {
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = spec;
  const { nodeAffinity } = affinity ?? {};
  const nodes = joined(path, 'spec.affinity.nodeAffinity');
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...Object.keys(nodeSelector).flatMap((label) => {
      const advice = labelAdvice(label, emulated);
      return advice === undefined ? [] : [`${joined(path, 'spec.nodeSelector')}[${label}]: ${advice}`];
    }),
    ...required.flatMap((term, index) => {
      const at = `${nodes}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
      return selectorTermWarnings(at, term, emulated);
    }),
    ...preferred.flatMap(({ preference }, index) => {
      const at = `${nodes}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
      return selectorTermWarnings(at, preference, emulated, true);
    }),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => {
      const at = `${joined(path, 'spec.topologySpreadConstraints')}[${index}]`;
      const isUnselective = labelSelector === undefined && warnsSince(emulated, '1.28');
      return [
        ...labelKeyWarnings(`${at}.topologyKey`, topologyKey, emulated),
        ...(isUnselective ? [noPodSelected(`${at}.labelSelector`)] : []),
      ];
    }),
  ];
}

const noPodSelected = (path: string): string => `${path}: a null labelSelector results in matching no pod`;

function affinityWarnings({ path, spec: { affinity = {} } }: WarnedPod): readonly string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind: keyof Affinity & `pod${string}`) => {
    const at = joined(path, `spec.affinity.${kind}`);
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [], ...rest } = affinity[kind] ?? {};
    const preferred = rest.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...required.flatMap((term, index) =>
        termWarnings(`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, term),
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        termWarnings(
          `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
          podAffinityTerm,
        ),
      ),
    ];
  });
}

function termWarnings(path: string, term: PodAffinityTerm | undefined): readonly string[] {
  return term?.labelSelector === undefined ? [noPodSelected(`${path}.labelSelector`)] : [];
}

function repeatedNameWarnings({ path, spec, emulated }: WarnedPod): readonly string[] {
  const { hostAliases = [], imagePullSecrets = [], volumes = [] } = spec;
  const secrets = joined(path, 'spec.imagePullSecrets');
  return [
    ...repeated(
      joined(path, 'spec.hostAliases'),
      'ip',
      hostAliases.map(({ ip = '' }) => ip),
    ),
    ...repeated(
      secrets,
      'name',
      imagePullSecrets.map(({ name = '' }) => name),
    ),
    ...imagePullSecrets.flatMap(({ name = '' }, index) =>
      name === '' ? [`${secrets}[${index}].name: invalid empty name ""`] : [],
    ),
    ...(warnsSince(emulated, '1.28')
      ? []
      : repeated(
          joined(path, 'spec.volumes'),
          'name',
          volumes.map(({ name }) => name),
        )),
  ];
}

function repeated(path: string, field: string, values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (seen.has(value)) return [`${path}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}

function seccompWarnings({ path, annotations, emulated }: WarnedPod, text: string): readonly string[] {
  const name = withDomains(text, emulated);
  if (!Object.hasOwn(annotations, name)) return [];
  const state = warnsSince(emulated, '1.27')
    ? 'non-functional in v1.27+'
    : 'deprecated since v1.19, non-functional in a future release';
  return [`${joined(path, 'metadata.annotations')}[${name}]: ${state}; use the "seccompProfile" field instead`];
}

function containerWarnings(pod: WarnedPod, placed: PlacedContainer): readonly string[] {
  const { name, securityContext } = placed.container;
  return [
    ...(securityContext?.seccompProfile
      ? []
      : seccompWarnings(pod, `container.seccomp.security.alpha.{label}/${name}`)),
    ...(securityContext?.appArmorProfile ? [] : appArmorWarnings(pod, name)),
    ...resourceWarnings(placed),
    ...environmentWarnings(placed, pod.emulated),
  ];
}

/**
 * The warnings about AppArmor annotations, for templates only: in pods they are copied to fields.
 */
function appArmorWarnings({ path, spec, annotations, emulated }: WarnedPod, container: string): readonly string[] {
  const name = withDomains(`container.apparmor.security.beta.{label}/${container}`, emulated);
  const isTemplate = path !== '' && Object.hasOwn(annotations, name) && warnsSince(emulated, '1.30');
  if (!isTemplate || spec.securityContext?.appArmorProfile) return [];
  return [`${path}.metadata.annotations[${name}]: deprecated since v1.30; use the "appArmorProfile" field instead`];
}

const joined = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);
