import { formatApiVersion } from '../meta/group-version-kind.ts';
import { getOwn, type JsonObject } from '../meta/json-value.ts';

/** The meta group: its full name, and the version that the client requested. */
export interface MetaVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns a PartialObjectMetadata that shares the metadata of the object. */
export function partialObjectMetadata(meta: MetaVersion, object: JsonObject): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: formatApiVersion(meta.group, meta.version),
    metadata: getOwn(object, 'metadata') ?? {},
  };
}
