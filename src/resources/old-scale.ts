import type { JsonObject } from '../meta/json-value.ts';
import { objectAt } from '../meta/read-field.ts';
import type { Conversion } from '../registry/definition/resource-definition.ts';

/**
 * The conversion of a Scale in `extensions/v1beta1`, `apps/v1beta1` and `apps/v1beta2`: the
 * selector is a text in `targetSelector`, and also a map if it has only equalities.
 */
export const oldScale: Conversion = {
  toStorage: (scale) => scale,
  fromStorage: (scale) => {
    const { selector, ...status } = objectAt(scale, 'status');
    if (typeof selector !== 'string') return scale;
    const labels = equalities(selector);
    return { ...scale, status: { ...status, ...(labels ? { selector: labels } : {}), targetSelector: selector } };
  },
};

/** The labels that a selector in string syntax requires; undefined if it requires anything else. */
function equalities(selector: string): JsonObject | undefined {
  const pairs = selector.split(',').map((text) => /^([^=!<>() ]+)=([^=!<>() ]*)$/.exec(text));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
