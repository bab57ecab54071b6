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
export async function listInShape(
  call: ShapedCall,
  representation: Representation,
  list: VersionedList,
): Promise<Buffer> {
  const { shape, metaVersion, includeObject } = representation;
  if (shape === 'PartialObjectMetadata') throw wrongShape(representation, call, 'a list', call.served.info.listKind);
  const meta = metaVersionOf(call, metaVersion);
  const columns = columnsOf(call);
  const table = tableOf({ meta, metadata: listMetadata(list), objects: [], includeObject, columns });
  if (shape === 'Table') {
    const source = { meta, metadata: {}, includeObject, columns, withoutDefinitions: true };
    const { rows: _none, ...head } = table;
    return wrapped(head, 'rows', list.items, (object) => rowsOf(tableOf({ ...source, objects: [object] })));
  }
  const head = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${meta.group}/${meta.version}`,
    metadata: listMetadata(list),
  };
  return wrapped(head, 'items', list.items, (object) => partialObjectMetadata(meta, object));
}

function rowsOf({ rows }: JsonObject): JsonValue {
  return (Array.isArray(rows) ? rows[0] : undefined) ?? null;
}

/** `{...head,"<field>":[...]}` with each item made and written on its own. */
async function wrapped(
  head: JsonObject,
  field: string,
  items: readonly VersionedObject[],
  make: (object: JsonObject) => JsonValue,
): Promise<Buffer> {
  const texts: string[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn();
    texts.push(encodeJson(make(decoded(item))));
  }
  return Buffer.from(`${encodeJson(head).slice(0, -1)},${JSON.stringify(field)}:[${texts.join(',')}]}`);
}
