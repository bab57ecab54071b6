import { encodeJson } from '../../codec/encode-json.ts';
import { partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { tableOf } from '../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { VersionedObject } from '../../registry/registry.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { listMetadata, type ListPosition } from './list-metadata.ts';
import { columnsOf, decoded, metaVersionOf, wrongShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';
import type { ListFrame } from './text-format.ts';

/** A list in the shape that was asked for: `{...head,"<field>":[...items]}`. */
export interface ListShape extends ListFrame {
  /** An item in this shape, as JSON. */
  readonly itemJson: (object: VersionedObject) => Buffer;
}

/** The shape of a list. Throws 406 for one that only single objects have. */
export function shapeOfList(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const { shape, metaVersion, includeObject } = representation;
  if (shape === 'object') return { head: listHead(call, list), field: 'items', empty: '[]', itemJson: itemOf };
  if (shape === 'PartialObjectMetadata') throw wrongShape(representation, call, 'a list', call.served.info.listKind);
  const meta = metaVersionOf(call, metaVersion);
  const columns = columnsOf(call);
  if (shape === 'Table') {
    const { rows: _none, ...head } = tableOf({
      meta,
      metadata: listMetadata(list),
      objects: [],
      includeObject,
      columns,
    });
    const source = { meta, metadata: {}, includeObject, columns, withoutDefinitions: true };
    return shaped({ head, field: 'rows', empty: '[]' }, (object) => rowOf(tableOf({ ...source, objects: [object] })));
  }
  const head = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${meta.group}/${meta.version}`,
    metadata: listMetadata(list),
  };
  // Metadata alone of no objects at all is null, as in kube-apiserver.
  return shaped({ head, field: 'items', empty: 'null' }, (object) => partialObjectMetadata(meta, object));
}

/** `{"kind":"SecretList","apiVersion":"v1","metadata":{...}}` */
export function listHead(call: ResourceCall, list: ListPosition): Buffer {
  const { kind, ...groupVersion } = kindOf(call);
  const listKind = call.subresource?.kind ? `${kind}List` : call.served.info.listKind;
  const metadata = listMetadata(list);
  return Buffer.from(JSON.stringify({ kind: listKind, apiVersion: apiVersionOf(groupVersion), metadata }));
}

const openObject = Buffer.from('{');

function itemOf({ json, itemStart }: VersionedObject): Buffer {
  return itemStart === 0 ? json : Buffer.concat([openObject, json.subarray(itemStart)]);
}

function shaped(
  { head, ...frame }: Omit<ListFrame, 'head'> & { readonly head: JsonObject },
  make: (object: JsonObject) => JsonValue,
): ListShape {
  return {
    ...frame,
    head: Buffer.from(encodeJson(head)),
    itemJson: (object) => Buffer.from(encodeJson(make(decoded(object)))),
  };
}

function rowOf({ rows }: JsonObject): JsonValue {
  return (Array.isArray(rows) ? rows[0] : undefined) ?? null;
}
