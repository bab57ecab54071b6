import type { ListFrame } from '../../codec/codec.ts';
import { type Document, documentOf, valueOf } from '../../codec/document.ts';
import { partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { tableOf } from '../../codec/table.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { listMetadata, type ListPosition } from './list-metadata.ts';
import { columnsOf, metaVersionOf, wrongShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';

/** A list in the requested shape. */
interface ListShape {
  readonly frame: ListFrame;
  /** Converts an item to this shape. */
  readonly item: (object: VersionedObject) => Document;
}

/** Returns the shape of a list. Throws 406 for a shape of single objects. */
export function shapeOfList(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const { shape, metaVersion, includeObject } = representation;
  if (shape === 'object') return { frame: objectsFrame(call, list), item: (object) => object };
  if (shape === 'PartialObjectMetadata') throw wrongShape(representation, call, 'a list', call.served.info.listKind);
  const meta = metaVersionOf(call, metaVersion);
  const columns = columnsOf(call);
  const metadata = listMetadata(list);
  if (shape === 'Table') {
    const { rows: _none, ...head } = tableOf({ meta, metadata, objects: [], includeObject, columns });
    const source = { meta, metadata: {}, includeObject, columns, withoutDefinitions: true };
    return {
      frame: { head, field: 'rows', empty: '[]' },
      item: (object) => documentOf(rowOf(tableOf({ ...source, objects: [valueOf(object)] }))),
    };
  }
  const head = { kind: 'PartialObjectMetadataList', apiVersion: `${meta.group}/${meta.version}`, metadata };
  return {
    // An empty PartialObjectMetadataList has `items: null`, as in kube-apiserver.
    frame: { head, field: 'items', empty: 'null' },
    item: (object) => documentOf(partialObjectMetadata(meta, valueOf(object))),
  };
}

/**
 * Returns the frame of a list of objects:
 * `{"kind":"SecretList","apiVersion":"v1","metadata":{...},"items":[...]}`.
 */
export function objectsFrame(call: ResourceCall, list: ListPosition): ListFrame {
  const { kind, ...groupVersion } = kindOf(call);
  const listKind = call.subresource?.kind ? `${kind}List` : call.served.info.listKind;
  const head = { kind: listKind, apiVersion: apiVersionOf(groupVersion), metadata: listMetadata(list) };
  return { head, field: 'items', empty: '[]' };
}

function rowOf({ rows }: JsonObject): JsonObject {
  const row = Array.isArray(rows) ? rows[0] : undefined;
  return isJsonObject(row) ? row : {};
}
