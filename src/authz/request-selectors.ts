import { type FieldRequirement, parseFieldSelector } from '../meta/field-selector.ts';
import type { LabelRequirement } from '../meta/label-requirement.ts';
import { parseLabelRequirements } from '../meta/label-selector.ts';
import { StatusError } from '../status/status-error.ts';

/**
 * The selectors of a list, watch or deletecollection. An authorizer may allow a request because of
 * its selectors, but never refuse it for them. A requirement that cannot be parsed is left out: the
 * request then counts as one for more objects.
 */
export interface RequestSelectors {
  /**
   * The requirements on fields, at least one; absent if there are none, or none that can be parsed.
   */
  readonly fieldSelector?: readonly FieldRequirement[];
  /**
   * The requirements on labels, at least one; absent if there are none, or none that can be parsed.
   */
  readonly labelSelector?: readonly LabelRequirement[];
}

/** Parses the selectors of a request; null and '' are no selector. */
export function requestSelectors(fields: string | null, labels: string | null): RequestSelectors {
  const fieldSelector = fields ? readable(() => parseFieldSelector(fields).requirements) : [];
  const labelSelector = labels ? readable(() => parseLabelRequirements(labels)) : [];
  return {
    ...(fieldSelector.length > 0 ? { fieldSelector } : {}),
    ...(labelSelector.length > 0 ? { labelSelector } : {}),
  };
}

/** The requirements of a selector; none if it is malformed, which the verb refuses later. */
function readable<Requirement>(parse: () => readonly Requirement[]): readonly Requirement[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}
