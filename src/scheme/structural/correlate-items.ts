import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { identityOfValue, stringAt, stringsAt } from '../../meta/read-field.ts';
import { extensionOf } from '../model/structural-schema.ts';

/**
 * Finds the item of an earlier list that is the same as an item of the present one: by the keys of
 * a list of the type `map`. Items of other lists have no identity. Undefined if there are none.
 */
export function correlate(
  schema: JsonObject,
  old: JsonValue | undefined,
): ((item: JsonValue) => JsonValue | undefined) | undefined {
  if (!Array.isArray(old) || old.length === 0) return undefined;
  const [type, keys] = [extensionOf(schema, 'list-type'), extensionOf(schema, 'list-map-keys')];
  if (type === undefined || keys === undefined || stringAt(schema, type) !== 'map') return undefined;
  const names = stringsAt(schema, keys);
  const identityOf = (item: JsonValue): string =>
    identityOfValue(names.map((name) => (isJsonObject(item) ? (getOwn(item, name) ?? null) : null)));
  const known = new Map(old.map((item) => [identityOf(item), item]));
  return (item) => known.get(identityOf(item));
}
