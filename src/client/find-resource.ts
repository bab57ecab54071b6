import { distance } from 'fastest-levenshtein';
import type { DiscoveredResource } from './discovery.ts';

/**
 * Finds the resource that a user names: by plural, singular, short name or kind, in any case, alone
 * or with its group (`deployments.apps`) or version and group (`deployments.v1.apps`). Plurals win
 * over other names; then the first in discovery order wins, which begins with the core group and
 * with each group's preferred version. Undefined if there is no match.
 */
export function findResource(
  resources: readonly DiscoveredResource[],
  argument: string,
): DiscoveredResource | undefined {
  const [word = '', ...rest] = argument.toLowerCase().split('.');
  const suffix = rest.join('.');
  const candidates = resources.filter(({ group, version }) => {
    return (
      suffix === '' || suffix === group || suffix === `${version}.${group}` || (group === '' && suffix === version)
    );
  });
  for (const matches of nameMatchers) {
    const found = candidates.find((candidate) => matches(candidate, word));
    if (found) return found;
  }
  return undefined;
}

type NameMatcher = (resource: DiscoveredResource, word: string) => boolean;

/** The tests of a name, in the order of precedence. */
const nameMatchers: readonly NameMatcher[] = [
  ({ resource }, word) => resource === word,
  ({ singular }, word) => singular === word,
  ({ shortNames }, word) => shortNames.includes(word),
  ({ kind }, word) => kind.toLowerCase() === word,
];

/** Names similar to a word that matches no resource, the most similar first. */
export function suggestResources(resources: readonly DiscoveredResource[], argument: string): string[] {
  const word = argument.toLowerCase().split('.')[0] ?? '';
  const near = new Map<string, number>();
  for (const { resource } of resources) {
    const steps = distance(word, resource);
    if (steps <= nearness) near.set(resource, steps);
  }
  return [...near].toSorted((one, other) => one[1] - other[1]).map(([name]) => name);
}

/** Two typing errors; more would match nearly any name. */
const nearness = 2;
