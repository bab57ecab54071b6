import { sortYielding } from '../../async/sort-yielding.ts';
import type { ListFrame } from '../../codec/codec.ts';
import { type Document, valueOf } from '../../codec/document.ts';
import { type RowKey, tableHead } from '../../codec/table-definition.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { VersionedObject, VersionedList } from '../../registry/definition/registry.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { metadataDocuments, rowDocuments, withoutManagers } from './metadata-documents.ts';
import { formattingBudget } from '../../http-protocol/requests/time-budget.ts';
import { metaVersionOf, tableFormat, wrongShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';

/** A list in the requested shape. */
interface ListShape {
  readonly frame: ListFrame;
  /** Converts an item to this shape. */
  readonly item: (object: VersionedObject) => Document;
  /** Sorts the items, if they are not in the order of the list. */
  readonly sort?: (objects: readonly VersionedObject[]) => Promise<readonly VersionedObject[]>;
}

/** Returns the shape of a list. Throws 406 for a shape of single objects. */
export function shapeOfList(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const shaped = wholeShapeOfList(call, representation, list);
  if (!representation.dropsManagers) return shaped;
  return { ...shaped, item: (object) => shaped.item(withoutManagers(object)) };
}

function wholeShapeOfList(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const { shape } = representation;
  if (shape === 'object') return { frame: objectsFrame(call, list), item: (object) => object };
  if (shape === 'PartialObjectMetadata') throw wrongShape(representation, call, 'a list');
  return shape === 'Table' ? rowsShape(call, representation, list) : metadataShape(call, representation, list);
}

function rowsShape(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const format = tableFormat(call, representation);
  const { rowKey } = format.table;
  return {
    frame: { head: tableHead(format, listMetadata(list)), field: 'rows', empty: '[]', typedItems: true },
    item: rowDocuments(format),
    ...(rowKey ? { sort: (objects) => sortRows(objects, rowKey) } : {}),
  };
}

/**
 * Sorts objects by the keys of their rows, within the time limit for formatting. Keeps the keys in
 * memory, not the decoded objects.
 */
async function sortRows(
  objects: readonly VersionedObject[],
  keyOf: (object: JsonObject) => RowKey,
): Promise<readonly VersionedObject[]> {
  const keyed: { readonly object: VersionedObject; readonly key: RowKey }[] = [];
  for (const object of objects) {
    const turn = takeTurn();
    if (turn) await turn;
    keyed.push({ object, key: keyOf(valueOf(object)) });
  }
  const sorted = await sortYielding(keyed, (a, b) => compareKeys(a.key, b.key), takeTurn);
  return sorted.map(({ object }) => object);
}

function takeTurn(): Promise<void> | undefined {
  return formattingBudget.take();
}

function compareKeys([number, text]: RowKey, [otherNumber, otherText]: RowKey): number {
  return number - otherNumber || (text < otherText ? -1 : Number(text > otherText));
}

function metadataShape(call: ResourceCall, representation: Representation, list: ListPosition): ListShape {
  const meta = metaVersionOf(call, representation);
  const apiVersion = `${meta.group}/${meta.version}`;
  return {
    frame: {
      head: { kind: 'PartialObjectMetadataList', apiVersion, metadata: listMetadata(list) },
      field: 'items',
      // An empty PartialObjectMetadataList has `items: null`, as in kube-apiserver.
      empty: 'null',
      typedItems: true,
    },
    item: metadataDocuments(meta),
  };
}

/**
 * Returns the frame of a list of objects:
 * `{"kind":"SecretList","apiVersion":"v1","metadata":{...},"items":[...]}`.
 */
export function objectsFrame(call: ResourceCall, list: ListPosition): ListFrame {
  const { kind, ...groupVersion } = kindOf(call);
  const listKind = call.subresource?.kind ? `${kind}List` : call.served.info.listKind;
  // kube-apiserver writes lists of custom objects without a type, which would omit the empty text.
  const position = listMetadata(list);
  const metadata = call.served.info.isCustom ? { continue: '', ...position } : position;
  const head = { kind: listKind, apiVersion: apiVersionOf(groupVersion), metadata };
  return { head, field: 'items', empty: '[]', typedItems: call.served.info.isCustom === true };
}

/** The revision of a list, and its continuation. */
type ListPosition = Pick<VersionedList, 'revision' | 'continueToken' | 'remaining' | 'shard'>;

/**
 * Returns the `metadata` of a list; undefined fields are omitted. A list of objects that are not
 * stored has revision 0, which is omitted.
 */
function listMetadata({ revision, continueToken, remaining, shard }: ListPosition): JsonObject {
  return {
    ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
    ...(shard === undefined ? {} : { shardInfo: { selector: shard } }),
  };
}
