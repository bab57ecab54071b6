import assert from 'node:assert/strict';
import { errorsAfterMoveUp, errorsAfterRemoval } from '../../../src/dashboard/forms/field-errors.ts';
import { pathText, withItemMovedUp, withValue } from '../../../src/dashboard/forms/field-path.ts';
import { typeName } from '../../../src/cli/commands/types/schema-of-kind.ts';
import { descriptionOf, shapeOf } from '../../../src/dashboard/forms/field-shape.ts';
import { isLocked } from '../../../src/dashboard/forms/locked-fields.ts';
import { startingValue } from '../../../src/dashboard/forms/starting-value.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';

const reference = (name: string): JsonObject => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });

const schemas: JsonObject = {
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  Port: {
    type: 'object',
    required: ['port', 'protocol', 'parent'],
    properties: {
      port: { type: 'integer', minimum: 1 },
      protocol: { type: 'string', enum: ['TCP', 'UDP'] },
      target: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      parent: reference('Parent'),
    },
  },
  Parent: {
    type: 'object',
    required: ['ports', 'on'],
    properties: { ports: { type: 'array', items: reference('Port') }, on: { type: 'boolean', default: true } },
  },
};

const kindOf = (schema: JsonObject, value?: JsonValue): string => shapeOf(schema, schemas, value).kind;

describe('forms of the dashboard', () => {
  it('chooses the control by the schema', () => {
    const shapes: readonly (readonly [JsonObject, string])[] = [
      [reference('Port'), 'object'],
      [{ type: 'array', items: { type: 'string' } }, 'list'],
      [{ type: 'object', additionalProperties: { type: 'string' } }, 'map'],
      [{ type: 'string', enum: ['a'] }, 'choice'],
      [{ type: 'string' }, 'text'],
      [reference('Quantity'), 'text'],
      [{ 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'integer-or-text'],
      [{ type: 'boolean' }, 'boolean'],
      [{ type: 'number' }, 'number'],
      [{ type: 'integer', format: 'int64' }, 'integer'],
      [{ type: 'object', 'x-cluster-preserve-unknown-fields': true }, 'any'],
      [{}, 'any'],
    ];
    assert.deepEqual(
      shapes.map(([schema]) => kindOf(schema)),
      shapes.map(([, kind]) => kind),
    );
  });

  it('chooses the control by the value where the schema says nothing or another type', () => {
    assert.equal(kindOf({}, { a: 1 }), 'map');
    assert.equal(kindOf({}, {}), 'any');
    assert.equal(kindOf({}, [1]), 'list');
    assert.equal(kindOf({}, 'a'), 'text');
    assert.equal(kindOf({}, false), 'boolean');
    assert.equal(kindOf({ type: 'string' }, { a: 1 }), 'map');
    assert.equal(kindOf({ type: 'integer' }, 'not yet'), 'integer');
  });

  it('lists required fields first', () => {
    const shape = shapeOf(reference('Port'), schemas);
    assert.ok(shape.kind === 'object');
    assert.deepEqual(
      shape.fields.map(({ name }) => name),
      ['parent', 'port', 'protocol', 'target'],
    );
  });

  it('starts fields with their defaults and required parts, also of schemas that contain themselves', () => {
    assert.deepEqual(startingValue(reference('Port'), schemas), {
      parent: { ports: [], on: true },
      port: 1,
      protocol: 'TCP',
    });
    const text = JSON.stringify(startingValue(reference('Port'), schemas, true));
    assert.match(text, /^\{"parent":\{"on":true,"ports":\[\{"parent":/);
    assert.ok(text.length < 1000);
    assert.match(
      JSON.stringify(startingValue({ type: 'string', format: 'date-time' }, schemas)),
      /^"\d{4}-\d\d-\d\dT[\d:]+Z"$/,
    );
  });

  it('sets, adds, moves and removes values without changing the object before', () => {
    const before: JsonObject = { spec: { list: ['a', 'b'], map: { 'x.y/z': '1' } } };
    const text = JSON.stringify(before);
    assert.deepEqual(withValue(before, ['spec', 'list', 1], 'c'), {
      spec: { list: ['a', 'c'], map: { 'x.y/z': '1' } },
    });
    assert.deepEqual(withValue(before, ['spec', 'list', 0], undefined), {
      spec: { list: ['b'], map: { 'x.y/z': '1' } },
    });
    assert.deepEqual(withValue(before, ['spec', 'list', 2], 'c')['spec'], {
      list: ['a', 'b', 'c'],
      map: { 'x.y/z': '1' },
    });
    assert.deepEqual(withValue({}, ['a', 'b'], 1), { a: { b: 1 } });
    assert.deepEqual(withItemMovedUp(before, ['spec', 'list', 1]), {
      spec: { list: ['b', 'a'], map: { 'x.y/z': '1' } },
    });
    assert.deepEqual(withItemMovedUp(before, ['spec', 'list', 0]), before);
    assert.deepEqual(withValue(before, ['spec', 'map', 'constructor'], 'x')['spec'], {
      list: ['a', 'b'],
      map: { 'x.y/z': '1', constructor: 'x' },
    });
    const own = withValue({}, ['__proto__'], 'x');
    assert.deepEqual(Object.keys(own), ['__proto__']);
    assert.equal(JSON.stringify(before), text);
  });

  it('keeps errors at the items of a list that move, and drops those of items that go', () => {
    const errors = new Map([
      ['spec.list[0].port', 'zero'],
      ['spec.list[1].port', 'one'],
      ['spec.list[2]', 'two'],
      ['spec.listing[1]', 'other'],
    ]);
    assert.deepEqual(
      [...errorsAfterMoveUp(errors, ['spec', 'list', 1])],
      [
        ['spec.list[1].port', 'zero'],
        ['spec.list[0].port', 'one'],
        ['spec.list[2]', 'two'],
        ['spec.listing[1]', 'other'],
      ],
    );
    assert.deepEqual(
      [...errorsAfterRemoval(errors, ['spec', 'list', 1])],
      [
        ['spec.list[0].port', 'zero'],
        ['spec.list[1]', 'two'],
        ['spec.listing[1]', 'other'],
      ],
    );
    assert.deepEqual([...errorsAfterRemoval(errors, ['spec', 'list'])], [['spec.listing[1]', 'other']]);
  });

  it('bears schemas that are their own elements, or require themselves many times', () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const itself = reference('Itself');
    const hostile: JsonObject = {
      List: { type: 'array', items: reference('List') },
      Itself: { type: 'object', required: names, properties: Object.fromEntries(names.map((name) => [name, itself])) },
    };
    assert.match(typeName(reference('List'), hostile), /^(\[\])+Object$/);
    assert.equal(descriptionOf(reference('List'), hostile), '');
    assert.equal(shapeOf(reference('List'), hostile).kind, 'list');
    assert.ok(JSON.stringify(startingValue(itself, hostile, true)).length < 1_000_000);
  });

  it('writes paths as servers do in their errors', () => {
    const path = ['spec', 'template', 'containers', 0, 'image'] as const;
    assert.equal(pathText(path), 'spec.template.containers[0].image');
    assert.equal(pathText(['metadata', 'labels', 'a.b/c']), 'metadata.labels[a.b/c]');
  });

  it('keeps what the server sets, and the name of an object that exists', () => {
    assert.ok(isLocked(['metadata', 'uid'], false));
    assert.ok(isLocked(['status', 'phase'], false));
    assert.ok(isLocked(['metadata', 'name'], true));
    assert.ok(!isLocked(['metadata', 'name'], false));
    assert.ok(!isLocked(['metadata', 'labels', 'uid'], true));
    assert.ok(!isLocked(['spec', 'kind'], true));
  });
});
