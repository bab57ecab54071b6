import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { featuresOf } from '../../../src/config/feature-gates.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { disabledFieldsOf } from '../../../src/scheme/disabled-fields.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';

const release = '1.36';

/** A field of a gate, and the fields that lead to it. */
interface GatedPath {
  readonly gate: string;
  readonly path: readonly Field[];
}

/** The gated fields of a message, each once, by the shortest way to each message. */
function gatedPaths(schema: ObjectSchema): readonly GatedPath[] {
  const found: GatedPath[] = [];
  const seen = new Set<ObjectSchema>([schema]);
  const waiting: { readonly message: ObjectSchema; readonly path: readonly Field[] }[] = [
    { message: schema, path: [] },
  ];
  for (const { message, path } of waiting) {
    for (const field of message.fields.values()) {
      if (field.gate !== undefined) found.push({ gate: field.gate, path: [...path, field] });
      const inner = messageIn(field.schema);
      if (!inner?.gates || seen.has(inner)) continue;
      seen.add(inner);
      waiting.push({ message: inner, path: [...path, field] });
    }
  }
  return found;
}

function messageIn(schema: Schema): ObjectSchema | undefined {
  if (schema.type === 'list') return messageIn(schema.items);
  if (schema.type === 'map') return messageIn(schema.values);
  return schema.type === 'object' ? schema : undefined;
}

/** An object with a value in one field. */
function objectWith([field, ...rest]: readonly Field[], value: JsonValue): JsonObject {
  if (!field) return {};
  const inner = rest.length === 0 ? value : objectWith(rest, value);
  const { name, schema } = field;
  if (rest.length === 0) return { [name]: inner };
  return { [name]: schema.type === 'list' ? [inner] : schema.type === 'map' ? { key: inner } : inner };
}

function valueAt(object: JsonValue | undefined, [field, ...rest]: readonly Field[]): JsonValue | undefined {
  if (!field) return object;
  const one = Array.isArray(object) ? object[0] : object;
  const inner = isJsonObject(one) ? one[field.name] : undefined;
  return valueAt(rest.length > 0 && field.schema.type === 'map' && isJsonObject(inner) ? inner['key'] : inner, rest);
}

describe('a feature gate that changes between two starts', () => {
  const kinds = builtInDefinitions(identifiersOf('cluster')).flatMap(({ kind, storage }) =>
    storage ? [{ kind, schema: storage.schema(release) }] : [],
  );
  const { isEnabled } = featuresOf({ featureGates: [], emulatedRelease: release, emulationForwardCompatible: false });
  const paths = kinds.flatMap(({ kind, schema }) => gatedPaths(schema).map((path) => ({ kind, schema, ...path })));
  const gates = new Set(paths.flatMap(({ gate }) => gate.split(',')));

  it('is known to the release or to one before, whatever field names it', () => {
    assert.ok(gates.size > 100, `${gates.size} gates`);
    for (const gate of gates) assert.equal(typeof isEnabled(gate), 'boolean');
  });

  it('off drops each of its fields from new objects, and none from an object that has one', () => {
    const value = { used: true };
    for (const { kind, schema, gate, path } of paths) {
      const title = `${kind} ${path.map(({ name }) => name).join('.')} (${gate})`;
      const off = disabledFieldsOf(schema, (one) => !gate.split(',').includes(one));
      const on = disabledFieldsOf(schema, () => true);
      const [created, updated, again] = [0, 1, 2].map(() => objectWith(path, value));
      assert.ok(created && updated && again);
      off(created, undefined);
      assert.ok(isGone(valueAt(created, path)), `${title}: created`);
      // The object was stored while the gate was on; updates keep the field as long as the object has it.
      off(updated, objectWith(path, value));
      assert.deepEqual(valueAt(updated, path), value, `${title}: in use`);
      off(again, created);
      assert.ok(isGone(valueAt(again, path)), `${title}: set again`);
      const back = objectWith(path, value);
      on(back, created);
      assert.deepEqual(valueAt(back, path), value, `${title}: on again`);
    }
  });
});

/** Empty messages that every object has remain. */
function isGone(value: JsonValue | undefined): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
}
