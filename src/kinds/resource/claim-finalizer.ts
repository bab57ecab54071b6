import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The finalizer of an allocated claim: its devices must be freed before it is deleted. */
export function claimFinalizer({ labelDomain }: Identifiers): string {
  return `resource.${labelDomain}/delete-protection`;
}
