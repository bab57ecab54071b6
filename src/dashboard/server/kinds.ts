import { discoverAll, type DiscoveredResource } from '../../client/discovery.ts';
import { identifierSets, identifiersOf, type Identifiers } from '../../identifiers/identifiers.ts';
import { client } from './browser-client.ts';

/** The kinds of the server. */
export interface Kinds {
  readonly identifiers: Identifiers;
  readonly all: readonly DiscoveredResource[];
  /** The kinds that can be listed, each in its preferred version, by group and name. */
  readonly listed: readonly DiscoveredResource[];
}

/** Reads the kinds of the server. */
export async function readKinds(): Promise<Kinds> {
  const { resources: all } = await discoverAll(client);
  const byType = new Map<string, DiscoveredResource>();
  for (const kind of all) {
    const key = `${kind.group}/${kind.resource}`;
    if (kind.verbs.includes('list') && !byType.has(key)) byType.set(key, kind);
  }
  const listed = [...byType.values()].toSorted(
    (one, other) => one.group.localeCompare(other.group) || one.resource.localeCompare(other.resource),
  );
  const identifiers = identifierSets
    .map(identifiersOf)
    .find(({ apiDomain }) => all.some(({ group }) => group.endsWith(`.${apiDomain}`)));
  return { identifiers: identifiers ?? identifiersOf('cluster'), all, listed };
}

/** Kinds that are counted at a time. */
const parallel = 4;

/**
 * Counts the objects of kinds with small requests: the server says how many follow the first.
 * Reports each as it is known; kinds that may not be listed have none.
 */
export async function countKinds(
  kinds: readonly DiscoveredResource[],
  report: (kind: DiscoveredResource, count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...kinds];
  const work = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind && !signal.aborted; kind = waiting.shift()) {
      try {
        const list = await client.metadata(kind).list({ limit: 1, signal });
        report(kind, list.items.length + (list.metadata.remainingItemCount ?? 0));
      } catch {
        // Without the right to list there is no number.
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}
