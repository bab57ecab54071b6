import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { definesSame, outlineOf, schemaIn } from '../../../../src/apiextensions/custom-resources/definition-outline.ts';

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
const outline = (crd: JsonObject) => outlineOf(() => Buffer.from(JSON.stringify(crd)));
const text: JsonObject = { type: 'object', properties: { managedFields: { type: 'string' } } };

describe('the outline of a definition', () => {
  it('has neither schemas nor what only clients need', () => {
    const { metadata, spec } = outline(definition(text)).crd;
    assert.deepEqual(metadata, {
      name: 'widgets.example.com',
      annotations: { 'example.com/a': 'b' },
      managedFields: null,
    });
    assert.deepEqual(spec, {
      group: 'example.com',
      versions: [{ name: 'v1', schema: { openAPIV3Schema: null } }, { name: 'v2' }],
    });
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

  it('leads to the schemas of the whole definition', () => {
    assert.deepEqual(schemaIn(definition(text), 'v1'), text);
    assert.equal(schemaIn(definition(text), 'v2'), undefined);
  });
});
