import type { ServedResource } from '../../scheme/catalogue.ts';
import type { SubresourceInfo, Verb } from '../../scheme/resource-info.ts';
import type { ResourceTarget } from '../request/request-path.ts';

const collectionVerbs: ReadonlySet<Verb> = new Set(['create', 'list', 'watch', 'deletecollection']);
const objectVerbs: ReadonlySet<Verb> = new Set(['get', 'update', 'patch', 'delete']);
const acrossNamespaces: ReadonlySet<Verb> = new Set(['list', 'watch']);
const none: readonly Verb[] = [];

/** The verbs at one path; empty where nothing is served. */
export interface ServedPath {
  readonly verbs: readonly Verb[];
  readonly subresource: SubresourceInfo | undefined;
}

/**
 * Decides which verbs a path has (spec 4.1): the scope of the resource, the shape of the path, and the verbs of the catalogue.
 * The same answer tells 404 (no verb) from 405 (another verb), so that a path never serves the wrong scope (CVE-2019-11247).
 */
export function servedVerbs({ info, version }: ServedResource, target: ResourceTarget): ServedPath {
  const { name, nested, depth, prefix } = target;
  if (depth > 0 || prefix === 'proxy' || (nested && !info.namespaced)) return { verbs: none, subresource: undefined };
  const everywhere = info.namespaced && !nested;
  if (prefix === 'watch') {
    const followed = version.verbs.includes('watch') && !target.subresource && !(everywhere && name);
    return { verbs: followed ? ['watch'] : none, subresource: undefined };
  }
  if (everywhere) {
    return { verbs: name ? none : version.verbs.filter((verb) => acrossNamespaces.has(verb)), subresource: undefined };
  }
  if (target.subresource) {
    const subresource = version.subresources.find((candidate) => candidate.name === target.subresource);
    return { verbs: subresource?.verbs ?? none, subresource };
  }
  const shape = name ? objectVerbs : collectionVerbs;
  return { verbs: version.verbs.filter((verb) => shape.has(verb)), subresource: undefined };
}
