import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The finalizer of an allocated claim, whose devices have to be given back before it goes. */
export function claimFinalizer({ labelDomain }: Identifiers): string {
  return `resource.${labelDomain}/delete-protection`;
}
