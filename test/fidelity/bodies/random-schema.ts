import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, times, weighted } from '../choices.ts';

/**
 * The schemas of parts, by the letters with which the names of their fields begin. `t` and `k` are lists whose order
 * the release decides, `g` and `h` maps of such lists.
 */
const parts = { s: 4, i: 2, b: 1, o: 3, m: 2, n: 1, l: 2, t: 2, k: 3, e: 1, f: 2, a: 1, g: 1, h: 1, x: 0 } as const;
type PartName = keyof typeof parts;

/** A place in a schema. */
interface SchemaPlace {
  readonly depth: number;
  /** Unknown fields are kept here: only here does the reference own values without a schema as later releases do. */
  readonly keeps: boolean;
  /**
   * The kind has integers or strings: the reference owns all that is in it as if it had no schema. So it has no part
   * that is owned otherwise.
   */
  readonly isUntyped: boolean;
}

const keeping: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString: JsonObject = { 'x-kubernetes-int-or-string': true };

/** A random structural schema of a whole object, with a status; of a kind with integers or strings if `isUntyped`. */
export function randomSchema(random: Random, isUntyped: boolean): JsonObject {
  const keeps = chance(random, 0.3);
  const spec = objectSchema(random, { depth: 0, keeps, isUntyped });
  const status = objectSchema(random, { depth: 1, keeps, isUntyped });
  // Beside the spec, where no change of the schema takes it away.
  const ofKind: JsonObject = isUntyped ? { x: intOrString } : {};
  return { type: 'object', properties: { spec, status, ...ofKind }, ...(keeps ? keeping : {}) };
}

function objectSchema(random: Random, { depth, keeps: above, isUntyped }: SchemaPlace): JsonObject {
  const own = chance(random, 0.35);
  const place = { depth, keeps: own || above, isUntyped };
  const properties = Object.fromEntries(times(random.between(2, depth === 0 ? 7 : 4), () => namedPart(random, place)));
  const isAtomic = depth > 0 && !isUntyped && chance(random, 0.1);
  return { type: 'object', properties, ...(own ? keeping : {}), ...(isAtomic ? atomicMap : {}) };
}

const atomicMap: JsonObject = { 'x-kubernetes-map-type': 'atomic' };

function partLetter(random: Random, { depth, keeps, isUntyped }: SchemaPlace): PartName {
  const deep = depth >= 3 ? { o: 0, m: 0, k: 0, e: 0, h: 0 } : {};
  const free = keeps || isUntyped ? {} : { f: 0, a: 0 };
  const untyped = isUntyped ? { t: 0, k: 0, g: 0, h: 0, x: 3 } : {};
  return weighted<PartName>(random, { ...parts, ...deep, ...free, ...untyped });
}

type DrawPart = (random: Random, below: SchemaPlace, nullable: JsonObject) => JsonObject;

/** The schemas of parts, by the first letters of their names. */
const partsByLetter: Readonly<Record<PartName, DrawPart>> = {
  s: (random, _, nullable) => ({ type: 'string', ...nullable, ...byDefault(random, 0.3, 'd') }),
  i: (_random, _, nullable) => ({ type: 'integer', ...nullable }),
  b: (random, _, nullable) => ({ type: 'boolean', ...nullable, ...byDefault(random, 0.3, true) }),
  o: (random, below, nullable) => ({ ...objectSchema(random, below), ...nullable, ...byDefault(random, 0.15, {}) }),
  m: (_random, _, nullable) => ({ ...mapOf({ type: 'string' }), ...nullable }),
  n: (random, below) => mapOf(objectSchema(random, deeper(below))),
  l: (random, below, nullable) => ({
    type: 'array',
    items: chance(random, 0.5) ? { type: 'string' } : objectSchema(random, below),
    ...nullable,
    ...byDefault(random, 0.1, []),
  }),
  t: () => textSet,
  k: keyedList,
  e: (random, below) => ({ ...objectSchema(random, below), 'x-kubernetes-embedded-resource': true }),
  f: (_random, _, nullable) => ({ type: 'object', ...keeping, ...nullable }),
  a: () => keeping,
  g: () => mapOf(textSet),
  h: (random, below) => mapOf(keyedList(random, deeper(below))),
  x: (_random, _, nullable) => ({ ...intOrString, ...nullable }),
};

const textSet: JsonObject = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };

function mapOf(values: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: values };
}

function deeper(place: SchemaPlace): SchemaPlace {
  return { ...place, depth: place.depth + 1 };
}

/** A default in this share of cases. */
function byDefault(random: Random, share: number, value: JsonValue): JsonObject {
  return chance(random, share) ? { default: value } : {};
}

/** A part with its name: a letter that tells its schema, and a number. */
function namedPart(random: Random, place: SchemaPlace): readonly [name: string, schema: JsonObject] {
  const letter = partLetter(random, place);
  const nullable: JsonObject = chance(random, 0.15) ? { nullable: true } : {};
  const schema = partsByLetter[letter](random, deeper(place), nullable);
  return [`${letter}${random.between(1, 2)}`, schema];
}

/** A list of objects, which have a name and, in some lists, a zone as their keys. */
function keyedList(random: Random, place: SchemaPlace): JsonObject {
  const item = objectSchema(random, place);
  const keys: JsonObject = {
    name: { type: 'string' },
    ...(chance(random, 0.3) ? { zone: { type: 'string', default: 'x' } } : {}),
  };
  const { 'x-kubernetes-map-type': _, ...rest } = item;
  return {
    type: 'array',
    items: { ...rest, properties: { ...objectAt(item, 'properties'), ...keys }, required: ['name'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': Object.keys(keys),
  };
}
