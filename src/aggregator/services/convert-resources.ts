import type { JsonObject } from '../../meta/json-value.ts';
import { objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';

/** A version of a group. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Converts an APIResourceList to the resources of aggregated discovery, in the order of the list.
 * Sub-resources join their resource; one without a resource makes an entry for it.
 */
export function convertResources(list: JsonObject, own: GroupVersion): readonly JsonObject[] {
  const resources = new Map<string, JsonObject>();
  const subresources = new Map<string, JsonObject[]>();
  for (const one of objectsAt(list, 'resources')) {
    const [name, subresource] = splitOnce(stringAt(one, 'name'));
    if (subresource === undefined) {
      resources.set(name, resourceOf(name, one, own));
      continue;
    }
    const known = subresources.get(name) ?? [];
    known.push({ subresource, responseKind: kindOf(one, own), verbs: stringsAt(one, 'verbs').toSorted() });
    subresources.set(name, known);
    if (!resources.has(name)) resources.set(name, { resource: name, responseKind: {}, scope: scopeOf(one), verbs: [] });
  }
  return [...resources].map(([name, one]) => {
    const parts = subresources.get(name);
    return parts ? { ...one, subresources: parts } : one;
  });
}

function resourceOf(resource: string, one: JsonObject, own: GroupVersion): JsonObject {
  const [shortNames, categories] = [stringsAt(one, 'shortNames'), stringsAt(one, 'categories')];
  return {
    resource,
    responseKind: kindOf(one, own),
    scope: scopeOf(one),
    singularResource: stringAt(one, 'singularName'),
    verbs: stringsAt(one, 'verbs').toSorted(),
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
  };
}

function kindOf(one: JsonObject, { group, version }: GroupVersion): JsonObject {
  const foreign = stringAt(one, 'version') !== '';
  return {
    group: foreign ? stringAt(one, 'group') : group,
    version: foreign ? stringAt(one, 'version') : version,
    kind: stringAt(one, 'kind'),
  };
}

function scopeOf(one: JsonObject): string {
  return one['namespaced'] === true ? 'Namespaced' : 'Cluster';
}

function splitOnce(name: string): readonly [string, string?] {
  const slash = name.indexOf('/');
  return slash < 0 ? [name] : [name.slice(0, slash), name.slice(slash + 1)];
}
