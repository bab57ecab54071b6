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

/**
 * The path of a group and version: `/api/v1`, `/apis/apps/v1`. Throws TypeError for those that
 * would address another path.
 */
export function groupVersionPath(group: string, version: string): string {
  const segments = group ? [group, version] : [version];
  const path = segments.map((segment) => segmentOf(segment, 'an API group or version'));
  return `/${group ? 'apis' : 'api'}/${path.join('/')}`;
}

/** An encoded segment of a path. Dots are not encoded, and lead to another path. */
function segmentOf(segment: string, what: string): string {
  if (segment !== '' && segment !== '.' && segment !== '..') return encodeURIComponent(segment);
  throw new TypeError(`"${segment}" cannot be the name of ${what}`);
}

/**
 * The path of a collection or, with a name, of an object. Every segment is encoded, and one of dots
 * alone is a TypeError, so that no name can address another path. A namespaced collection without a
 * namespace is the collection of all namespaces.
 */
export function resourcePath(
  { group, version, resource, namespaced = true }: ResourceReference<ApiObject>,
  target: { readonly namespace?: string; readonly name?: string; readonly subresource?: string },
): string {
  const scope = namespaced && target.namespace ? ['namespaces', segmentOf(target.namespace, 'a namespace')] : [];
  const object = target.name === undefined ? [] : [target.name, ...(target.subresource?.split('/') ?? [])];
  const segments = [...scope, segmentOf(resource, 'a resource'), ...object.map((each) => segmentOf(each, 'an object'))];
  return `${groupVersionPath(group, version)}/${segments.join('/')}`;
}
