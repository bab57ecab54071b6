import { type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, some, times } from '../choices.ts';
import { isForbidden } from './forbidden-fields.ts';
import { randomScalar } from './random-scalar.ts';

/** Messages below this depth get what they must have. */
const deepest = 6;

/** Messages of which one field is set, besides those named here: what a volume is, where a value comes from. */
const unions: ReadonlyMap<string, readonly string[]> = new Map([
  ['api.core.v1.Volume', ['name']],
  ['api.core.v1.VolumeProjection', []],
  ['api.core.v1.EnvVarSource', []],
  ['api.core.v1.LifecycleHandler', []],
  ['api.core.v1.VolumeNodeAffinity', []],
  ['api.networking.v1.IngressBackend', []],
  ['api.networking.v1.ServiceBackendPort', []],
  ['api.networking.v1.NetworkPolicyPeer', []],
  ['api.storage.v1.VolumeAttachmentSource', []],
]);

/** Fields of a message that exclude each other, beside others that do not. */
const exclusive: readonly (readonly string[])[] = [
  ['exec', 'httpGet', 'tcpSocket', 'grpc'],
  ['value', 'valueFrom'],
  ['minAvailable', 'maxUnavailable'],
];

const keys: readonly string[] = ['k1', 'k2', 'example.com/k', 'app', 'cpu', 'memory'];
const fileKeys: readonly string[] = ['k1', 'k2', 'k.3'];

/**
 * A value of a schema. `density` is the share of the optional fields that are there; it falls with each level, so that
 * values stay small.
 */
export function randomValue(random: Random, schema: Schema, name: string, density: number, depth = 0): JsonValue {
  if (schema.type === 'object') return randomObject(random, schema, density, depth);
  if (schema.type === 'list') {
    const items = times(random.between(chance(random, 0.05) ? 0 : 1, depth > deepest ? 1 : 2), () =>
      randomValue(random, schema.items, name, density, depth + 1),
    );
    return chance(random, 0.9) ? withoutRepeats(items, schema.mapKeys) : items;
  }
  if (schema.type === 'map') {
    const chosen = some(random, schema.keyFormat === 'config-key' ? fileKeys : keys, 1, 2);
    return Object.fromEntries(chosen.map((key) => [key, randomValue(random, schema.values, name, density, depth + 1)]));
  }
  return randomScalar(random, schema, name);
}

function randomObject(random: Random, schema: ObjectSchema, density: number, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const field of chosenFields(random, schema, density, depth)) {
    setOwn(object, field.name, randomValue(random, field.schema, field.name, density * 0.7, depth + 1));
  }
  return object;
}

function chosenFields(random: Random, schema: ObjectSchema, density: number, depth: number): readonly Field[] {
  const fields = [...schema.fields.values()].filter(({ name }) => !isForbidden(schema, name));
  const always = unions.get(schema.name);
  if (always) {
    const members = fields.filter(({ name }) => !always.includes(name));
    return [...fields.filter(({ name }) => always.includes(name)), ...some(random, members, 1, 1)];
  }
  const share = depth > deepest ? 0 : density;
  const chosen = fields.filter(
    ({ required, checkedWhenMissing }) => chance(random, share) || required || checkedWhenMissing === true,
  );
  return exclusive.reduce<readonly Field[]>((left, names) => oneOf(random, left, fields, names), chosen);
}

/** Leaves one of some fields, and has one of them where a message consists of them. */
function oneOf(
  random: Random,
  chosen: readonly Field[],
  all: readonly Field[],
  names: readonly string[],
): readonly Field[] {
  const members = all.filter(({ name }) => names.includes(name));
  if (members.length < 2 || chance(random, 0.03)) return chosen;
  const [one] = some(random, members, 1, 1);
  const others = chosen.filter(({ name }) => !names.includes(name));
  return one ? [...others, one] : others;
}

function withoutRepeats(items: readonly JsonValue[], mapKeys: readonly string[]): JsonValue[] {
  const identity = (item: JsonValue): string =>
    JSON.stringify(mapKeys.length === 0 ? item : mapKeys.map((key) => (item as JsonObject | null)?.[key]));
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(identity(item)) && seen.add(identity(item)));
}
