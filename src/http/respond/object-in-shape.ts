import { type Document, documentOf, valueOf } from '../../codec/document.ts';
import { type MetaVersion, partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { type Column, defaultColumns, tableOf } from '../../codec/table.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { StatusError } from '../../status/status-error.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import type { Representation } from './representation.ts';

/** The parts of a call that the conversion to a shape uses. */
type ShapedCall = Pick<ResourceCall, 'served' | 'scope' | 'columns'>;

/** Converts an object to a Table or to its metadata. Throws 406 for a shape of lists. */
export function objectInShape(call: ShapedCall, representation: Representation, object: VersionedObject): Document {
  if (representation.shape === 'PartialObjectMetadataList') {
    throw wrongShape(representation, call, 'not a list', call.served.info.kind);
  }
  return watchedInShape(call, representation, object, true);
}

/**
 * Converts the object of a watch event to a shape. Only the first Table of a watch has column
 * definitions.
 */
export function watchedInShape(
  call: ShapedCall,
  { shape, metaVersion, includeObject }: Representation,
  object: VersionedObject,
  first: boolean,
): Document {
  const meta = metaVersionOf(call, metaVersion);
  const value = valueOf(object);
  if (shape !== 'Table') return documentOf(partialObjectMetadata(meta, value));
  const table = tableOf({
    meta,
    metadata: ownVersion(value),
    objects: [value],
    includeObject,
    columns: columnsOf(call),
    withoutDefinitions: !first,
  });
  return documentOf(table);
}

/**
 * Returns the meta group with the API domain of the server, in the version that the client
 * requested.
 */
export function metaVersionOf({ scope }: ShapedCall, version: string): MetaVersion {
  return { group: `meta.${scope.identifiers.apiDomain}`, version };
}

/** Returns the columns of a resource. */
export function columnsOf({ columns }: ShapedCall): readonly Column[] {
  return columns ?? defaultColumns;
}

function ownVersion({ metadata }: JsonObject): JsonObject {
  const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** Returns the 406 for a list requested as an object, or the reverse. */
export function wrongShape(
  { shape }: Representation,
  { served }: ShapedCall,
  what: 'a list' | 'not a list',
  kind: string,
): StatusError {
  const type = `*${served.info.shortGroup.split('.', 1)[0] || 'core'}.${kind}`;
  return new StatusError('NotAcceptable', `you requested ${shape}, but the requested object is ${what} (${type})`);
}
