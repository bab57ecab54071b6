import type { Authorizer } from './authorizer.ts';
import { decideAccess } from './decide-access.ts';

/** An authorizer that stands for others, which are replaced while the server runs. */
interface ReplaceableAuthorizers extends Authorizer {
  /** Uses other authorizers from now on. Decisions that have begun keep the previous ones. */
  replace(members: readonly Authorizer[]): void;
}

/** Creates an authorizer that asks others in order, and has the first ones of them at first. */
export function replaceableAuthorizers(first: readonly Authorizer[]): ReplaceableAuthorizers {
  let current = first;
  return {
    name: 'union',
    authorize: (attributes) => decideAccess(current, attributes),
    members: () => current,
    replace(members) {
      current = members;
    },
  };
}

/** Authorizers, with those in place of an authorizer that stands for them. */
export function membersOf(authorizers: readonly Authorizer[]): readonly Authorizer[] {
  return authorizers.flatMap((authorizer) => authorizer.members?.() ?? [authorizer]);
}
