import type { Taint, Toleration } from '../../gen/types/core-v1.ts';

/** True if one of the tolerations of a pod tolerates a taint. */
export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    // Only the operator Exists may have no key: it tolerates all taints.
    if (operator === 'Exists') return true;
    return key !== '' && (comparisons[operator]?.(taint.value ?? '', value) ?? false);
  });
}

/** The operators that compare the values of a taint and a toleration. */
const comparisons: Readonly<Record<string, (taint: string, toleration: string) => boolean>> = Object.freeze({
  Equal: (taint, toleration) => taint === toleration,
  Lt: (taint, toleration) => areIntegers(taint, toleration) && BigInt(taint) < BigInt(toleration),
  Gt: (taint, toleration) => areIntegers(taint, toleration) && BigInt(taint) > BigInt(toleration),
});

/** True for the texts of integers, without needless signs and zeros. */
function areIntegers(...texts: readonly string[]): boolean {
  return texts.every((text) => /^(0|-?[1-9]\d{0,18})$/.test(text));
}

/** The taints with some effects that a pod does not tolerate. */
export function untolerated(
  tolerations: readonly Toleration[] | undefined,
  taints: readonly Taint[] | undefined,
  effects: readonly string[],
): readonly Taint[] {
  return (taints ?? []).filter((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));
}
