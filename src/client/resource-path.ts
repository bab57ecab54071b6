import type { ApiObject, GenericObject } from './api-object.ts';

/** Carries the type of the objects of a reference, without a value at run time. */
declare const objectType: unique symbol;

/** A resource in one version, as in discovery, with the type of its objects. */
export interface ResourceReference<T extends ApiObject = GenericObject> {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case. */
  readonly resource: string;
  /** False for a resource of the cluster. The default is true. */
  readonly namespaced?: boolean;
  readonly [objectType]?: T;
}

/** The path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath(group: string, version: string): string {
  return group
    ? `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`
    : `/api/${encodeURIComponent(version)}`;
}

/**
 * The path of a collection or, with a name, of an object. Every segment is encoded, so that a name
 * cannot address another path. A namespaced collection without a namespace is the collection of all
 * namespaces.
 */
export function resourcePath(
  { group, version, resource, namespaced = true }: ResourceReference<ApiObject>,
  target: { readonly namespace?: string; readonly name?: string; readonly subresource?: string },
): string {
  const scope = namespaced && target.namespace ? ['namespaces', target.namespace] : [];
  const object = target.name === undefined ? [] : [target.name, ...(target.subresource?.split('/') ?? [])];
  if (object.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new TypeError(`"${object.join('/')}" cannot be the name of an object`);
  }
  const segments = [...scope, resource, ...object].map(encodeURIComponent);
  return `${groupVersionPath(group, version)}/${segments.join('/')}`;
}
