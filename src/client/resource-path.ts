/** A resource in one version, as in discovery. */
export interface ResourceReference {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly namespaced: boolean;
}

/** The path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath(group: string, version: string): string {
  return group
    ? `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`
    : `/api/${encodeURIComponent(version)}`;
}

/**
 * The path of a collection or, with a name, of an object. Every segment is encoded, so that a name
 * cannot address another path. A namespaced collection without a namespace is that of all
 * namespaces.
 */
export function resourcePath(
  reference: ResourceReference,
  target: { readonly namespace?: string; readonly name?: string; readonly subresource?: string },
): string {
  const scope = reference.namespaced && target.namespace ? ['namespaces', target.namespace] : [];
  const object = target.name === undefined ? [] : [target.name, ...(target.subresource?.split('/') ?? [])];
  if (object.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new TypeError(`"${object.join('/')}" cannot be the name of an object`);
  }
  const segments = [...scope, reference.resource, ...object].map(encodeURIComponent);
  return `${groupVersionPath(reference.group, reference.version)}/${segments.join('/')}`;
}
