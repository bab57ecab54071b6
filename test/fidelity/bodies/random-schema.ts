import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, some, times, weighted } from '../choices.ts';

/**
 * The schemas of parts, by the letters with which the names of their fields begin. `t` and `k` are lists whose order
 * the release decides.
 */
const parts = { s: 4, i: 2, b: 1, o: 3, m: 2, n: 1, l: 2, t: 2, k: 3, e: 1, f: 2, a: 1 } as const;
type PartName = keyof typeof parts;

/** A place in a schema. */
interface SchemaPlace {
  readonly depth: number;
  /** Unknown fields are kept here: only here does the reference own values without a schema as later releases do. */
  readonly keeps: boolean;
}

const keeping: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** A random structural schema of a whole object, with a status. */
export function randomSchema(random: Random): JsonObject {
  const keeps = chance(random, 0.3);
  const spec = objectSchema(random, { depth: 0, keeps });
  const status = objectSchema(random, { depth: 1, keeps });
  return { type: 'object', properties: { spec, status }, ...(keeps ? keeping : {}) };
}

function objectSchema(random: Random, { depth, keeps: above }: SchemaPlace): JsonObject {
  const own = chance(random, 0.35);
  const place = { depth, keeps: own || above };
  const properties = Object.fromEntries(times(random.between(2, depth === 0 ? 7 : 4), () => namedPart(random, place)));
  const atomic: JsonObject = depth > 0 && chance(random, 0.1) ? { 'x-kubernetes-map-type': 'atomic' } : {};
  return { type: 'object', properties, ...(own ? keeping : {}), ...atomic };
}

function partLetter(random: Random, { depth, keeps }: SchemaPlace): PartName {
  const deep = depth >= 3 ? { o: 0, m: 0, k: 0, e: 0 } : {};
  const free = keeps ? {} : { f: 0, a: 0 };
  return weighted<PartName>(random, { ...parts, ...deep, ...free });
}

type DrawPart = (random: Random, below: SchemaPlace, nullable: JsonObject) => JsonObject;

/** The schemas of parts, by the first letters of their names. */
const partsByLetter: Readonly<Record<PartName, DrawPart>> = {
  s: (random, _, nullable) => ({ type: 'string', ...(chance(random, 0.3) ? { default: 'd' } : nullable) }),
  i: (_random, _, nullable) => ({ type: 'integer', ...nullable }),
  b: (random, _, nullable) => ({ type: 'boolean', ...(chance(random, 0.3) ? { default: true } : nullable) }),
  o: (random, below, nullable) => ({ ...objectSchema(random, below), ...nullable }),
  m: () => ({ type: 'object', additionalProperties: { type: 'string' } }),
  n: (random, below) => ({
    type: 'object',
    additionalProperties: objectSchema(random, { ...below, depth: below.depth + 1 }),
  }),
  l: (random, below) => ({
    type: 'array',
    items: chance(random, 0.5) ? { type: 'string' } : objectSchema(random, below),
  }),
  t: () => ({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }),
  k: keyedList,
  e: (random, below) => ({ ...objectSchema(random, below), 'x-kubernetes-embedded-resource': true }),
  f: () => ({ type: 'object', ...keeping }),
  a: () => keeping,
};

/** A part with its name: a letter that tells its schema, and a number. */
function namedPart(random: Random, place: SchemaPlace): readonly [name: string, schema: JsonObject] {
  const letter = partLetter(random, place);
  const nullable: JsonObject = chance(random, 0.15) ? { nullable: true } : {};
  const schema = partsByLetter[letter](random, { ...place, depth: place.depth + 1 }, nullable);
  return [`${letter}${random.between(1, 2)}`, schema];
}

function keyedList(random: Random, place: SchemaPlace): JsonObject {
  const item = objectSchema(random, place);
  const properties: JsonObject = { ...objectAt(item, 'properties'), name: { type: 'string' } };
  const { 'x-kubernetes-map-type': _, ...rest } = item;
  return {
    type: 'array',
    items: { ...rest, properties, required: ['name'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
}

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
