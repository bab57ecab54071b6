import { identifierSets, identifiersOf } from './identifiers.ts';

/** The name of a flag about node agents, without dashes. */
type NodeAgentFlag<Name extends string> = `nodeagent-${Name}`;

/** Returns the name of a flag about node agents: `nodeagent-timeout`. */
export function nodeAgentFlag<Name extends string>(name: Name): NodeAgentFlag<Name> {
  return `nodeagent-${name}`;
}

/** The beginnings of the names of such flags in all sets of identifiers. */
export const nodeAgentFlagPrefixes: readonly string[] = identifierSets.map((set) => `${identifiersOf(set).nodeAgent}-`);
