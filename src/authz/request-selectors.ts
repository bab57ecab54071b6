import { type FieldRequirement, parseFieldSelector } from '../meta/field-selector.ts';
import type { LabelRequirement } from '../meta/label-requirement.ts';
import { parseLabelRequirements } from '../meta/label-selector.ts';
import { StatusError } from '../status/status-error.ts';

/**
 * The conditions of a list, watch or deletecollection. Authorizers may allow a request for its
 * conditions, never refuse it for them: a part that cannot be read is left out, which asks for
 * more.
 */
export interface RequestSelectors {
  /** The conditions on fields, at least one; absent: none that can be read. */
  readonly fieldSelector?: readonly FieldRequirement[];
  /** The conditions on labels, at least one; absent: none that can be read. */
  readonly labelSelector?: readonly LabelRequirement[];
}

/** Reads the selectors of a request as texts; null and '' are none. */
export function requestSelectors(fields: string | null, labels: string | null): RequestSelectors {
  const fieldSelector = fields ? readable(() => parseFieldSelector(fields).requirements) : [];
  const labelSelector = labels ? readable(() => parseLabelRequirements(labels)) : [];
  return {
    ...(fieldSelector.length > 0 ? { fieldSelector } : {}),
    ...(labelSelector.length > 0 ? { labelSelector } : {}),
  };
}

/** The verb of the request refuses a malformed selector later. */
function readable<Requirement>(parse: () => readonly Requirement[]): readonly Requirement[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}
