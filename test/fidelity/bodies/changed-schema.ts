import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { some, weighted } from '../choices.ts';

/** A schema with another field, with one less, or with a list that one manager owns whole. */
export function changedSchema(random: Random, schema: JsonObject): JsonObject {
  const spec = objectAt(schema, 'properties', 'spec');
  const properties = { ...objectAt(spec, 'properties') };
  const names = Object.keys(properties);
  const keyed = names.find((name) => name.startsWith('k'));
  // Without any property a schema says nothing, and the reference owns such values otherwise.
  const kind = weighted(random, { add: 2, remove: names.length > 2 ? 2 : 0, atomic: keyed === undefined ? 0 : 1 });
  if (kind === 'add') properties[`s${random.between(3, 5)}`] = { type: 'string' };
  else if (kind === 'remove') for (const name of some(random, names, 1, 2)) delete properties[name];
  else if (keyed !== undefined) properties[keyed] = atomicList(properties[keyed] ?? {});
  return { ...schema, properties: { ...objectAt(schema, 'properties'), spec: { ...spec, properties } } };
}

function atomicList(list: JsonValue): JsonObject {
  const { 'x-kubernetes-list-map-keys': _, ...rest } = isJsonObject(list) ? list : {};
  return { ...rest, 'x-kubernetes-list-type': 'atomic' };
}
