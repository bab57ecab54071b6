import type { Taint, Toleration } from '../../gen/types/core-v1.ts';

/** True if one of the tolerations of a pod tolerates a taint. */
export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    // Only the operator Exists may have no key: it tolerates all taints.
    return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
  });
}

/** The taints with some effects that a pod does not tolerate. */
export function untolerated(
  tolerations: readonly Toleration[] | undefined,
  taints: readonly Taint[] | undefined,
  effects: readonly string[],
): readonly Taint[] {
  return (taints ?? []).filter((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));
}
