import type { PodSpec, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { NumberOperators } from '../../../kinds/core/check-tolerations.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { hasAdditionsOf } from '../../../scheme/emulated-release.ts';

const gate = 'TaintTolerationComparisonOperators';

/** The operators of tolerations that compare numbers, as a release with its gates has them. */
export function numberOperators(emulated: EmulatedRelease): NumberOperators {
  if (emulated.isFeatureEnabled(gate)) return 'allowed';
  return hasAdditionsOf(emulated, '1.35') ? 'refused' : 'unknown';
}

/**
 * The release as the new spec of a pod sees it. An old spec that compares numbers keeps the right
 * to do so while the gate is off.
 */
export function withOperatorsOf(old: PodSpec | undefined, emulated: EmulatedRelease): EmulatedRelease {
  const isUsed = (old?.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt');
  if (!isUsed) return emulated;
  return { ...emulated, isFeatureEnabled: (name) => name === gate || emulated.isFeatureEnabled(name) };
}

/** The release as the new template of an object sees it, which replaces another template. */
export function withOperatorsOfTemplate(
  old: { readonly spec: { readonly template?: PodTemplateSpec } } | undefined,
  emulated: EmulatedRelease,
): EmulatedRelease {
  return withOperatorsOf(old?.spec.template?.spec, emulated);
}
