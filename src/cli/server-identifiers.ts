import { type Identifiers, identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { resourcesOf, type Session } from './find-type.ts';

/** The names that the server of a session has, by the groups of its resources. */
export async function serverIdentifiers(session: Session): Promise<Identifiers> {
  const groups = new Set((await resourcesOf(session)).map(({ group }) => group));
  const found = identifierSets
    .map(identifiersOf)
    .find(({ apiDomain }) => [...groups].some((group) => group.endsWith(`.${apiDomain}`)));
  return found ?? identifiersOf('cluster');
}
