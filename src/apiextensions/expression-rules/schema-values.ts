import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { StructuralSchema } from '../../scheme/model/structural-schema.ts';
import type { CelType } from '../../cel/types/cel-type.ts';
import { CelList, CelMap, CelObject, type CelValue, Failure, listFrom } from '../../cel/values/cel-value.ts';

type Read = (value: JsonValue) => CelValue;

/** Reads lists; lists of type set or map have no order. */
export function readList({ listType, mapKeys }: StructuralSchema, readItem: Read): Read {
  const identity = listType === 'atomic' ? undefined : { keyOf: listType === 'set' ? itself : keysReader(mapKeys) };
  return (value) => {
    if (!Array.isArray(value)) return new Failure('invalid data, expected an array');
    return new CelList(value.length, (index) => readItem(value[index] ?? null), identity);
  };
}

function itself(item: CelValue): CelValue {
  return item;
}

/** The key of an item of a list of type map. */
function keysReader(keys: readonly string[]): (item: CelValue) => CelValue {
  return (item) => listFrom(keys.map((key) => (item instanceof CelObject ? (item.get(key) ?? null) : null)));
}

/** Reads objects with any fields. */
export function readMap(readValue: Read): Read {
  return (value) => {
    if (!isJsonObject(value)) return new Failure('invalid data, expected a map');
    return new CelMap({
      get: (key) => {
        const part = typeof key === 'string' ? getOwn(value, key) : undefined;
        return part === undefined ? undefined : readValue(part);
      },
      keys: () => Object.keys(value),
    });
  };
}

/**
 * Reads objects with the fields of a schema. `names` maps the names in expressions to the names in
 * JSON.
 */
export function readObject(
  type: CelType,
  names: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, { readonly read: Read }>,
): Read {
  return (value) => {
    if (!isJsonObject(value)) return new Failure('invalid data, expected an object');
    const get = (field: string): CelValue | undefined => {
      // A field that is named as a keyword is declared with escapes; its plain name is accepted
      // too.
      const name = names.get(field) ?? names.get(`__${field}__`);
      const part = name === undefined ? undefined : getOwn(value, name);
      return part === undefined || name === undefined ? undefined : fields.get(name)?.read(part);
    };
    return new CelObject(type, get, () => [...names.keys()].filter((field) => get(field) !== undefined));
  };
}
