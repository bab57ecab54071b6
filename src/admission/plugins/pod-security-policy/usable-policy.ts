import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf, nameOf } from '../../../meta/object-meta.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

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
  readonly spec: JsonObject;
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
export function readPolicy(policy: JsonObject, labelDomain: string): UsablePolicy {
  const spec = objectAt(policy, 'spec');
  const annotations = annotationsOf(policy);
  const profiles = (domain: string): ProfileRule => ({
    defaultProfile: annotations[`${domain}/defaultProfileName`] ?? '',
    allowed: annotations[`${domain}/allowedProfileNames`],
  });
  const ids = {
    runAsUser: idRule(spec, 'runAsUser'),
    runAsGroup: idRule(spec, 'runAsGroup'),
    supplementalGroups: idRule(spec, 'supplementalGroups'),
    fsGroup: idRule(spec, 'fsGroup'),
  };
  const seLinux = objectAt(spec, 'seLinux');
  return {
    name: nameOf(policy),
    spec,
    ...ids,
    hostPorts: objectsAt(spec, 'hostPorts').map(rangeOf),
    seccomp: profiles(`seccomp.security.alpha.${labelDomain}`),
    appArmor: profiles(`apparmor.security.beta.${labelDomain}`),
    isUsable:
      Object.values(ids).every(({ rule, ranges }) => !rangedRules.has(rule) || ranges.length > 0) &&
      (stringAt(seLinux, 'rule') !== 'MustRunAs' || isSet(seLinux, 'seLinuxOptions')),
  };
}

/** The rules that need ranges. */
const rangedRules: ReadonlySet<string> = new Set(['MustRunAs', 'MayRunAs']);

function idRule(spec: JsonObject, name: string): IdRule {
  const given = objectAt(spec, name);
  return { rule: stringAt(given, 'rule'), ranges: objectsAt(given, 'ranges').map(rangeOf) };
}

function rangeOf(range: JsonObject): NumberRange {
  return { min: numberAt(range, 'min') ?? 0, max: numberAt(range, 'max') ?? 0 };
}

/** Reports whether a number is in one of the ranges. */
export function isInRanges(number: number, ranges: readonly NumberRange[]): boolean {
  return ranges.some(({ min, max }) => number >= min && number <= max);
}
