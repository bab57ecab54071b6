import type { LabelSelector } from '../../gen/stored/meta-v1.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import { identityOfValue } from '../../meta/read-field.ts';

/** Decides by labels. */
export type SelectLabels = (labels: Labels) => boolean;

/**
 * Reads a selector; undefined if it selects everything. Equal selectors of a configuration are one
 * function, so that each is evaluated once. The function throws `RangeError` if it is unreadable.
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
    // Validation keeps such a selector out. The requests that it decides on fail, not all others.
    return () => {
      throw error;
    };
  }
}
