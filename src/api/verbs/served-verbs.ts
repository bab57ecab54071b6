import type { ServedResource } from '../../registry/definition/catalogue.ts';
import type { SubresourceDefinition, Verb } from '../../registry/definition/resource-definition.ts';
import type { ResourceTarget } from '../request/request-path.ts';

const collectionVerbs: ReadonlySet<Verb> = new Set(['create', 'list', 'watch', 'deletecollection']);
const objectVerbs: ReadonlySet<Verb> = new Set(['get', 'update', 'patch', 'delete']);
const acrossNamespaces: ReadonlySet<Verb> = new Set(['list', 'watch']);

/** The verbs of a path; empty if nothing is served there. */
interface ServedPath {
  readonly verbs: ReadonlySet<string>;
  readonly subresource: SubresourceDefinition | undefined;
}

/** Returns the verbs of a path of one resource in one version. */
export type ServedVerbs = (target: ResourceTarget) => ServedPath;

const nothing: ServedPath = { verbs: new Set(), subresource: undefined };

function path(verbs: readonly Verb[], subresource?: SubresourceDefinition): ServedPath {
  return { verbs: new Set(verbs), subresource };
}

/**
 * Creates the look-up of a resource (spec 4.1), from its scope, the shape of the path and the verbs
 * of the catalogue. The same result distinguishes 404 (no verbs) from 405 (other verbs), so that a
 * path never serves the wrong scope (CVE-2019-11247).
 */
export function servedVerbs({ info, version }: ServedResource): ServedVerbs {
  const among = (shape: ReadonlySet<Verb>): ServedPath => path(version.verbs.filter((verb) => shape.has(verb)));
  const collection = among(collectionVerbs);
  const object = among(objectVerbs);
  const everywhere = among(acrossNamespaces);
  const followed = version.verbs.includes('watch') ? path(['watch']) : nothing;
  const subresources = new Map(version.subresources.map((one) => [one.name, path(one.verbs, one)]));

  return ({ name, nested, depth, prefix, subresource }) => {
    if (depth > 0 || prefix === 'proxy' || (nested && !info.namespaced)) return nothing;
    const across = info.namespaced && !nested;
    if (prefix === 'watch') return subresource || (across && name) ? nothing : followed;
    if (across) return name ? nothing : everywhere;
    if (subresource) return subresources.get(subresource) ?? nothing;
    return name ? object : collection;
  };
}
