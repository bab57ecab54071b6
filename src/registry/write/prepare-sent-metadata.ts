import type { JsonObject } from '../../meta/json-value.ts';
import { setMeta } from '../../meta/object-meta.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { RequestScope } from '../definition/registry.ts';
import { refuseOtherNamespace } from './refuse-other-namespace.ts';

/** The first release that sets a missing namespace in every sent object, also in a view. */
export const filledNamespaceSince = '1.24';

/**
 * Prepares the metadata of a new object for mutating admission, as the emulated release does: since
 * 1.24 it has the namespace of the URL, since 1.25 it lacks the fields that the server sets. Throws
 * 400 if the object has another namespace than the URL.
 */
export function prepareSentMetadata(
  scope: Pick<RequestScope, 'emulated' | 'namespace'>,
  object: JsonObject,
  namespaced: boolean,
): void {
  const { release } = scope.emulated;
  if (isSince(release, '1.25')) {
    dropDeletion(object);
    for (const field of ['uid', 'creationTimestamp', 'selfLink'] as const) setMeta(object, field, undefined);
  }
  if (isSince(release, filledNamespaceSince)) setRequestNamespace(scope, object, namespaced);
}

/** Drops deletion fields: a new object is not being deleted. */
export function dropDeletion(object: JsonObject): void {
  setMeta(object, 'deletionTimestamp', undefined);
  setMeta(object, 'deletionGracePeriodSeconds', undefined);
}

/** Fills in the namespace of the URL. Throws 400 if the object has another one. */
export function setRequestNamespace(
  scope: Pick<RequestScope, 'namespace'>,
  object: JsonObject,
  namespaced: boolean,
): void {
  if (namespaced) refuseOtherNamespace(scope, object);
  setMeta(object, 'namespace', namespaced ? scope.namespace : undefined);
}
