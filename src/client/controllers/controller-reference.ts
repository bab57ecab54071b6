import type { ApiObject, OwnerReference } from '../api-object.ts';

/**
 * The reference with which an object says that another one controls it: for
 * `metadata.ownerReferences`. The owner is an object that the server returned.
 */
export function controllerReference({ apiVersion = '', kind = '', metadata = {} }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata;
  if (!apiVersion || !kind || !name || !uid) throw new TypeError('an owner has its apiVersion, kind, name and uid');
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
