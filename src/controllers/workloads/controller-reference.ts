import type { StoredMetadata } from '../resources.ts';
import type { ApiObject, OwnerReference } from '../../client/api-object.ts';

/** An object that controls others, of a known kind. */
export interface ControllingObject extends ApiObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMetadata;
}

/** The reference to the controlling object in an object that it makes. */
export function controllerReference({ apiVersion, kind, metadata }: ControllingObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}

/** The reference to the object that controls another. */
export function controllerOf({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller);
}
