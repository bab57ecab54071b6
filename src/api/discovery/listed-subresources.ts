import type { ServedResource } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { Verb } from '../../registry/definition/resource-definition.ts';

/** A sub-resource as discovery lists it. */
export interface ListedSubresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  readonly kind: string;
  /** The group and version of the kind if they differ from the resource's. */
  readonly kindVersion?: { readonly group: string; readonly version: string };
}

/** The verbs of the methods of a connect sub-resource; HEAD and OPTIONS are not listed. */
const verbOfMethod: Readonly<Record<string, Verb>> = {
  POST: 'create',
  DELETE: 'delete',
  GET: 'get',
  PATCH: 'patch',
  PUT: 'update',
};

/** Returns the sub-resources of a resource in one version, sorted by name. */
export function listedSubresources(
  { info, version: { version, subresources } }: ServedResource,
  connects: readonly ConnectDefinition[],
): readonly ListedSubresource[] {
  const stored = subresources.map(({ name, verbs, kind }): ListedSubresource => {
    const hasOtherVersion = kind && (kind.group !== info.group || kind.version !== version);
    return { name, verbs, kind: kind?.kind ?? info.kind, ...(hasOtherVersion ? { kindVersion: kind } : {}) };
  });
  const connected = connects
    .filter(({ group, resource }) => group === info.group && resource === info.resource)
    .map(({ subresource, kind, methods }): ListedSubresource => {
      const verbs = methods.flatMap((method) => verbOfMethod[method] ?? []);
      return { name: subresource, verbs, kind: kind ?? info.kind };
    });
  return [...stored, ...connected].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
