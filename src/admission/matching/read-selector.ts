import type { LabelSelector } from '../../gen/stored/meta-v1.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import { identityOfValue } from '../../meta/read-field.ts';

/** Reports whether labels match a selector. */
export type SelectLabels = (labels: Labels) => boolean;

/**
 * Compiles a label selector; undefined if it selects everything. Equal selectors of a configuration
 * become one function, so that it is evaluated once. The function throws `RangeError` if the
 * selector is invalid.
 */
export function readSelector(selector: LabelSelector, known: Map<string, SelectLabels>): SelectLabels | undefined {
  if (!selector.matchLabels && !selector.matchExpressions) return undefined;
  const text = identityOfValue(selector);
  const select = known.get(text) ?? compileSelector(selector);
  known.set(text, select);
  return select;
}

function compileSelector(selector: LabelSelector): SelectLabels {
  try {
    return matchLabelSelector(selector);
  } catch (error) {
    // Validation refuses such selectors. If one exists, only the requests that it decides on fail.
    return () => {
      throw error;
    };
  }
}
