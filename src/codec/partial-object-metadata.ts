import { formatApiVersion } from '../meta/group-version-kind.ts';
import { getOwn, type JsonObject } from '../meta/json-value.ts';

/** Where the kinds of the meta group stand: its full name, and the version that the client asked for. */
export interface MetaVersion {
  readonly group: string;
  readonly version: string;
}

/** An object without anything but its metadata. Shares it with the object. */
export function partialObjectMetadata(meta: MetaVersion, object: JsonObject): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: formatApiVersion(meta.group, meta.version),
    metadata: getOwn(object, 'metadata') ?? {},
  };
}
