import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeJson } from '../../codec/encode-json.ts';
import { partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { tableOf } from '../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { VersionedList, VersionedObject } from '../../registry/registry.ts';
import { listMetadata } from './list-metadata.ts';
import { columnsOf, decoded, metaVersionOf, type ShapedCall, wrongShape } from './object-in-shape.ts';
import type { Representation } from './representation.ts';

/** How many items are transformed before others get a turn. */
const itemsPerTurn = 200;

/** A list as a Table or as a list of metadata. Throws 406 for a shape that only single objects have. */
export function listInShape(call: ShapedCall, representation: Representation, list: VersionedList): Promise<Buffer> {
  return wrapped(shapeOfList(call, representation, list), list.items);
}

/** How a list in another shape is written: `{...head,"<field>":[...]}`. */
export interface ListShape {
  readonly head: JsonObject;
  readonly field: string;
  readonly make: (object: JsonObject) => JsonValue;
}

/** The shape in which a list was asked for. Throws 406 for one that only single objects have. */
export function shapeOfList(
  call: ShapedCall,
  representation: Representation,
  list: Parameters<typeof listMetadata>[0],
): ListShape {
  const { shape, metaVersion, includeObject } = representation;
  if (shape === 'PartialObjectMetadata') throw wrongShape(representation, call, 'a list', call.served.info.listKind);
  const meta = metaVersionOf(call, metaVersion);
  const columns = columnsOf(call);
  const table = tableOf({ meta, metadata: listMetadata(list), objects: [], includeObject, columns });
  if (shape === 'Table') {
    const source = { meta, metadata: {}, includeObject, columns, withoutDefinitions: true };
    const { rows: _none, ...head } = table;
    return { head, field: 'rows', make: (object) => rowsOf(tableOf({ ...source, objects: [object] })) };
  }
  const head = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${meta.group}/${meta.version}`,
    metadata: listMetadata(list),
  };
  return { head, field: 'items', make: (object) => partialObjectMetadata(meta, object) };
}

function rowsOf({ rows }: JsonObject): JsonValue {
  return (Array.isArray(rows) ? rows[0] : undefined) ?? null;
}

/** The list with each item made and written on its own. */
async function wrapped({ head, field, make }: ListShape, items: readonly VersionedObject[]): Promise<Buffer> {
  const texts: string[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn();
    texts.push(encodeJson(make(decoded(item))));
  }
  return Buffer.from(`${encodeJson(head).slice(0, -1)},${JSON.stringify(field)}:[${texts.join(',')}]}`);
}
