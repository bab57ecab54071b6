import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { disabledFieldsOf } from '../../../src/scheme/disabled-fields.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';

const traits = { number: 1, inlinePath: [], required: false, alwaysPresent: false, explicit: false };
const text: Schema = { type: 'string' };

function message(fields: Readonly<Record<string, Schema | { schema: Schema; gate: string }>>): ObjectSchema {
  const rows = Object.entries(fields).map(([name, one]): [string, Field] => [
    name,
    { ...traits, name, ...('schema' in one ? one : { schema: one }) },
  ]);
  const part = { type: 'object', name: 'M', atomic: false, preserveUnknown: false } as const;
  return { ...part, gates: ['A', 'B'], fields: new Map(rows) };
}

function listOf(items: Schema): Schema {
  return { type: 'list', items, listType: 'atomic', mapKeys: [] };
}

const container = message({ image: text, policy: { schema: text, gate: 'A' }, claims: { schema: text, gate: 'B' } });
const schema = message({
  gates: { schema: listOf(text), gate: 'A' },
  containers: listOf(container),
  volumes: { type: 'map', values: container, atomic: false },
});

/** An object after a write, if the gate A is off. */
function written(object: JsonObject, old?: JsonObject): JsonObject {
  disabledFieldsOf(schema, (gate) => gate !== 'A')(object, old);
  return object;
}

describe('fields of disabled features', () => {
  it('are dropped everywhere in a new object, and others are kept', () => {
    assert.deepEqual(
      written({
        gates: ['g'],
        containers: [{ image: 'i', policy: 'p', claims: 'c' }, { policy: 'q' }],
        volumes: { v: { policy: 'p', image: 'i' } },
      }),
      { containers: [{ image: 'i', claims: 'c' }, {}], volumes: { v: { image: 'i' } } },
    );
  });

  it('are kept while the old object uses the feature, in another place too', () => {
    const object = { gates: ['g'], containers: [{ policy: 'p' }] };
    assert.deepEqual(written(structuredClone(object), { volumes: { v: { policy: '' } } }), object);
    assert.deepEqual(written(structuredClone(object), { volumes: { v: { claims: 'c' } } }), { containers: [{}] });
  });

  it('are found in a message that contains itself', () => {
    const fields = new Map<string, Field>();
    const node: ObjectSchema = { ...message({}), fields };
    fields.set('gated', { ...traits, name: 'gated', schema: text, gate: 'A' });
    fields.set('items', { ...traits, name: 'items', schema: listOf(node) });
    const object: JsonObject = { items: [{ gated: 'x', items: [{ gated: 'y' }] }] };
    disabledFieldsOf(node, () => false)(object, undefined);
    assert.deepEqual(object, { items: [{ items: [{}] }] });
  });
});
