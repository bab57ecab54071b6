import assert from 'node:assert/strict';
import type { CustomResourceDefinition } from '../../../../src/gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { FieldDecodeError } from '../../../../src/scheme/model/field-decode-error.ts';
import {
  definesSame,
  parseOutline,
  schemaIn,
} from '../../../../src/apiextensions/custom-resources/definition-outline.ts';

const definition = (schema: JsonObject, rest: JsonObject = {}): JsonObject => ({
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'widgets.example.com',
    annotations: { 'example.com/a': 'b', 'kubectl.example.com/last-applied-configuration': '{"spec":{}}' },
    managedFields: [{ manager: 'one' }],
  },
  spec: { group: 'example.com', versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }, { name: 'v2' }] },
  status: { acceptedNames: { plural: 'widgets' } },
  ...rest,
});
const outline = (crd: JsonObject) => parseOutline(() => Buffer.from(JSON.stringify(crd)));
const text: JsonObject = { type: 'object', properties: { managedFields: { type: 'string' } } };

describe('the outline of a definition', () => {
  it('has neither schemas nor what only clients need', () => {
    const { metadata, spec } = outline(definition(text)).crd;
    assert.deepEqual(Object.keys(metadata), ['name', 'annotations']);
    assert.deepEqual(metadata.annotations, { 'example.com/a': 'b' });
    assert.equal(spec.group, 'example.com');
    assert.deepEqual(spec.versions, [
      { name: 'v1', served: false, storage: false, schema: {} },
      { name: 'v2', served: false, storage: false },
    ]);
  });

  it('changes with schemas, the rest of the spec and accepted names, and with nothing else', () => {
    const before = outline(definition(text));
    const isSame = (crd: JsonObject): boolean => definesSame(before, outline(crd));
    assert.equal(isSame(definition(text, { metadata: { name: 'widgets.example.com' } })), true);
    assert.equal(isSame(definition(text, { status: { acceptedNames: { plural: 'widgets' }, conditions: [] } })), true);
    assert.equal(isSame(definition({ ...text, description: 'other' })), false);
    assert.equal(isSame(definition(text, { spec: { group: 'example.com' } })), false);
    assert.equal(isSame(definition(text, { status: { acceptedNames: { plural: 'gadgets' } } })), false);
  });

  it('is none if the definition does not have the types of its kind', () => {
    assert.throws(() => outline({ ...definition(text), spec: 'damaged' }), FieldDecodeError);
  });

  it('leads to the schemas of the whole definition', () => {
    const whole = definition(text) as unknown as CustomResourceDefinition;
    assert.deepEqual(schemaIn(whole, 'v1'), text);
    assert.equal(schemaIn(whole, 'v2'), undefined);
  });
});
