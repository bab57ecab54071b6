import { type Document, documentOf, valueOf } from '../../codec/document.ts';
import type { MetaVersion } from '../../codec/partial-object-metadata.ts';
import {
  defaultTable,
  rowObject,
  rowWithoutObject,
  type TableDefinition,
  type TableFormat,
  tableHead,
  tableRow,
} from '../../codec/table-definition.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';
import { completeObject } from '../../scheme/complete-object.ts';
import { metadataDocuments } from './metadata-documents.ts';
import { StatusError } from '../../status/status-error.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import type { Representation } from './representation.ts';

/** The parts of a call that the conversion to a shape uses. */
type ShapedCall = Pick<ResourceCall, 'served' | 'scope' | 'subresource'>;

/**
 * Converts an object to a Table or to its metadata. A Status, the response of some sub-resources,
 * is never converted. Throws 406 for a shape of lists.
 */
export function objectInShape(call: ShapedCall, representation: Representation, object: VersionedObject): Document {
  if (isStatus(valueOf(object))) return object;
  if (representation.shape === 'PartialObjectMetadataList') throw wrongShape(representation, call, 'not a list');
  return watchedInShape(call, representation, object, true);
}

/**
 * Converts the object of a watch event to a shape. Only the first Table of a watch has column
 * definitions.
 */
export function watchedInShape(
  call: ShapedCall,
  representation: Representation,
  object: VersionedObject,
  first: boolean,
): Document {
  if (representation.shape !== 'Table') return metadataDocuments(metaVersionOf(call, representation))(object);
  const value = valueOf(object);
  const format = tableFormat(call, representation);
  return documentOf({ ...tableHead(format, ownVersion(value), first), rows: [tableRow(format, value)] });
}

/**
 * Converts the object of a bookmark to a shape. It has only metadata; the cells of its row are
 * computed as for an object without content.
 */
export function bookmarkInShape(
  call: ShapedCall,
  representation: Representation,
  object: JsonObject,
  first: boolean,
): Document {
  if (representation.shape !== 'Table') return watchedInShape(call, representation, documentOf(object), first);
  const format = tableFormat(call, representation);
  const complete = completeObject(call.served.version.schema(), object);
  const row = { ...rowWithoutObject(format, complete), object: rowObject(format, object) };
  return documentOf({ ...tableHead(format, ownVersion(object), first), rows: [row] });
}

/** Returns the format of the Tables of a resource. Ages in it are counted from now. */
export function tableFormat(call: ShapedCall, representation: Representation): TableFormat {
  const { served, scope, subresource } = call;
  const own = subresource?.kind?.table;
  if (own) return formatOf(call, representation, own);
  const { conversion } = served.version;
  const { storage } = served.info;
  const { identifiers } = scope;
  return {
    ...formatOf(call, representation, served.version.table ?? served.info.table ?? defaultTable),
    complete: (object) => (conversion || !storage ? object : completeObject(storage.schema(), object)),
    stored: (object) => {
      if (!conversion || !storage) return object;
      return completeObject(storage.schema(), conversion.toStorage(object, identifiers));
    },
  };
}

/** Returns the format of Tables whose columns read the unchanged objects. */
function formatOf(call: ShapedCall, representation: Representation, table: TableDefinition): TableFormat {
  return {
    meta: metaVersionOf(call, representation),
    includeObject: representation.includeObject,
    table,
    complete: (object) => object,
    stored: (object) => object,
    context: { nowMs: Date.now(), identifiers: call.scope.identifiers },
  };
}

/**
 * Returns the meta group with the API domain of the server, in the version that the client
 * requested.
 */
export function metaVersionOf({ scope }: ShapedCall, { metaVersion }: Representation): MetaVersion {
  return { group: `meta.${scope.identifiers.apiDomain}`, version: metaVersion };
}

function isStatus({ kind, apiVersion }: JsonObject): boolean {
  return kind === 'Status' && apiVersion === 'v1';
}

function ownVersion({ metadata }: JsonObject): JsonObject {
  const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** Returns the 406 for a list requested as an object, or the reverse. */
export function wrongShape(
  { shape }: Representation,
  { served, subresource }: ShapedCall,
  what: 'a list' | 'not a list',
): StatusError {
  const { kind, listKind, shortGroup } = served.info;
  const own = subresource?.kind;
  const group = own ? own.group : shortGroup;
  const type = `*${group.split('.', 1)[0] || 'core'}.${own?.kind ?? (what === 'a list' ? listKind : kind)}`;
  return new StatusError('NotAcceptable', `you requested ${shape}, but the requested object is ${what} (${type})`);
}
