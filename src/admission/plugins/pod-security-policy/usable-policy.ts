import type {
  FSGroupStrategyOptions,
  IDRange,
  PodSecurityPolicy,
  PodSecurityPolicySpec,
} from '../../../gen/stored/policy-v1beta1.ts';

/** A range of user or group ids, or of ports; both ends belong to it. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** How ids of one kind are chosen. */
export interface IdRule {
  readonly rule: string;
  readonly ranges: readonly NumberRange[];
}

/** Profiles of AppArmor or seccomp that annotations of a policy allow. */
export interface ProfileRule {
  /** '' for none. */
  readonly defaultProfile: string;
  /** The text of the annotation, which messages repeat; undefined without the annotation. */
  readonly allowed: string | undefined;
}

/** A PodSecurityPolicy, its parts parsed that every Pod is compared with. */
export interface UsablePolicy {
  readonly name: string;
  readonly spec: PodSecurityPolicySpec;
  readonly runAsUser: IdRule;
  readonly runAsGroup: IdRule;
  readonly supplementalGroups: IdRule;
  readonly fsGroup: IdRule;
  readonly hostPorts: readonly NumberRange[];
  readonly seccomp: ProfileRule;
  readonly appArmor: ProfileRule;
  /** False for a policy whose rules lack their values: it allows no Pod. */
  readonly isUsable: boolean;
}

/** Reads a policy. */
export function readPolicy({ metadata, spec }: PodSecurityPolicy, labelDomain: string): UsablePolicy {
  const { name = '', annotations = {} } = metadata;
  const profiles = (domain: string): ProfileRule => ({
    defaultProfile: annotations[`${domain}/defaultProfileName`] ?? '',
    allowed: annotations[`${domain}/allowedProfileNames`],
  });
  const ids = {
    runAsUser: idRule(spec.runAsUser),
    runAsGroup: idRule(spec.runAsGroup),
    supplementalGroups: idRule(spec.supplementalGroups),
    fsGroup: idRule(spec.fsGroup),
  };
  return {
    name,
    spec,
    ...ids,
    hostPorts: spec.hostPorts ?? [],
    seccomp: profiles(`seccomp.security.alpha.${labelDomain}`),
    appArmor: profiles(`apparmor.security.beta.${labelDomain}`),
    isUsable:
      Object.values(ids).every(({ rule, ranges }) => !rangedRules.has(rule) || ranges.length > 0) &&
      (spec.seLinux.rule !== 'MustRunAs' || spec.seLinux.seLinuxOptions !== undefined),
  };
}

/** The rules that need ranges. */
const rangedRules: ReadonlySet<string> = new Set(['MustRunAs', 'MayRunAs']);

function idRule({ rule = '', ranges = [] }: FSGroupStrategyOptions = {}): IdRule {
  return { rule, ranges: ranges.map(rangeOf) };
}

function rangeOf({ min, max }: IDRange): NumberRange {
  return { min: Number(min), max: Number(max) };
}

/** Reports whether a number is in one of the ranges. */
export function isInRanges(number: number, ranges: readonly NumberRange[]): boolean {
  return ranges.some(({ min, max }) => number >= min && number <= max);
}
