import type { PodSpec, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { NumberOperators } from '../../../kinds/core/check-tolerations.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { hasAdditionsOf } from '../../../scheme/emulated-release.ts';

const gate = 'TaintTolerationComparisonOperators';

/** Which operators of tolerations that compare numbers are allowed in a release. */
export function numberOperators(emulated: EmulatedRelease): NumberOperators {
  if (emulated.isFeatureEnabled(gate)) return 'allowed';
  return hasAdditionsOf(emulated, '1.35') ? 'refused' : 'unknown';
}

/**
 * The emulated release for a new pod spec. If the old spec uses operators that compare numbers,
 * they stay allowed while the gate is off.
 */
export function withOperatorsOf(old: PodSpec | undefined, emulated: EmulatedRelease): EmulatedRelease {
  const isUsed = (old?.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt');
  if (!isUsed) return emulated;
  return { ...emulated, isFeatureEnabled: (name) => name === gate || emulated.isFeatureEnabled(name) };
}

/** The emulated release for a new pod template that replaces an old one. */
export function withOperatorsOfTemplate(
  old: { readonly spec: { readonly template?: PodTemplateSpec } } | undefined,
  emulated: EmulatedRelease,
): EmulatedRelease {
  return withOperatorsOf(old?.spec.template?.spec, emulated);
}
