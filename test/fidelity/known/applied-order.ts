import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';

/** The names of keyed lists and sets in random schemas, and of maps of them (`bodies/random-schema.ts`). */
const ordered = /^[tk]\d$/;
const mapsOfOrdered = /^[gh]\d$/;

/** An object of a random kind with the items of its keyed lists and sets in one order. */
export function withoutListOrder(value: JsonValue, name = ''): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutListOrder(item));
    return ordered.test(name) ? items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)) : items;
  }
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, part] of Object.entries(value))
    setOwn(copy, key, withoutListOrder(part, mapsOfOrdered.test(name) ? 't0' : key));
  return copy;
}

function textOf(value: JsonValue): string {
  return isJsonObject(value) ? JSON.stringify([value['name'], value['zone']]) : JSON.stringify(value);
}
