import type { JsonObject } from '../../meta/json-value.ts';
import { metadataOf } from '../../meta/object-meta.ts';

/**
 * The object as it can be created: without the version and the identity of the stored object that a
 * file was written from; the server gives it others.
 */
export function newObject<T extends JsonObject>(object: T): T {
  const metadata = metadataOf(object);
  if (!metadata) return object;
  const { resourceVersion: _, uid: __, ...own } = metadata;
  return { ...object, metadata: own };
}
