import assert from 'node:assert/strict';
import { checkApplied } from '../../../src/apply/check-applied.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { compileStructuralSchema } from '../../../src/scheme/model/structural-schema.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { customKindSchema } from '../../../src/scheme/structural/custom-kind-schema.ts';

const pod = (spec: JsonObject): JsonObject => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });

const refused: readonly (readonly [string, JsonObject, string])[] = [
  ['an unknown field', { foo: 1 }, '.spec.foo: field not declared in schema'],
  [
    'items with one key',
    { containers: [{ name: 'a' }, { name: 'a' }] },
    '.spec.containers: duplicate entries for key [name="a"]',
  ],
  [
    'items whose keys are one by default',
    { containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }] },
    '.spec.containers[name="a"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
  ],
  [
    'a null item',
    { containers: [null] },
    '.spec.containers: element 0: associative list with keys may not have a null element',
  ],
  [
    'an item that is no object',
    { containers: ['a'] },
    '.spec.containers: element 0: associative list with keys may not have non-map elements',
  ],
  ['a list that is none', { containers: { a: [1] } }, '.spec.containers: expected list, got {"a":[1]}'],
  ['an object that is none', { securityContext: 'x' }, '.spec.securityContext: expected map, got "x"'],
  ['a number that is none', { priority: 'x' }, '.spec.priority: expected numeric (int or float), got string'],
  ['a list that is no text', { nodeName: ['a', { b: null }] }, '.spec.nodeName: expected string, got ["a",{"b":null}]'],
  ['a text that is none', { nodeName: 1 }, '.spec.nodeName: expected string, got 1'],
  ['a truth that is none', { hostNetwork: 'x' }, '.spec.hostNetwork: expected boolean, got "x"'],
  [
    'a wrong value in an atomic list',
    { tolerations: [{ key: 5 }] },
    '.spec.tolerations[0].key: expected string, got 5',
  ],
];

describe('checking a configuration', () => {
  for (const [name, spec, problem] of refused) {
    it(`refuses ${name}`, () =>
      assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod'), pod(spec)).problems, [problem]));
  }

  it('names one unknown field of an object, and those of other objects', () => {
    const object = pod({ foo: 1, bar: 2, containers: [{ name: 'a', baz: 3 }] });
    const { problems } = checkApplied(schemaOf('api.core.v1.Pod'), object);
    assert.deepEqual(problems, ['.spec.foo: field not declared in schema']);
    const inner = pod({
      containers: [
        { name: 'a', baz: 3, foo: 1 },
        { name: 'b', bar: 2 },
      ],
    });
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod'), inner).problems, [
      '.spec.containers[name="a"].baz: field not declared in schema',
      '.spec.containers[name="b"].bar: field not declared in schema',
    ]);
  });

  it('refuses a text for a number of a custom kind, whatever its format, and leaves texts of a format to their rules', () => {
    const properties = {
      number: { type: 'integer', format: 'int32' },
      bytes: { type: 'string', format: 'byte' },
      time: { type: 'string', format: 'date-time' },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    const structural = compileStructuralSchema({
      type: 'object',
      properties: { spec: { type: 'object', properties } },
    });
    const metadata = schemaOf('api.core.v1.ConfigMap').fields.get('metadata')?.schema;
    assert.ok(metadata?.type === 'object');
    const schema = customKindSchema('example.com.v1.Thing', structural, metadata);
    const { problems } = checkApplied(schema, { spec: { number: 'x', bytes: 1, time: 1, map: 5, open: ['x'] } });
    assert.deepEqual(problems, [
      '.spec.number: expected numeric (int or float), got string',
      '.spec.bytes: expected string, got 1',
      '.spec.map: expected map, got 5',
      '.spec.open: expected map, got ["x"]',
    ]);
  });

  it('refuses an item without its key, which counts as empty since 1.30', () => {
    const object = pod({ imagePullSecrets: [{ name: 'a' }, {}] });
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod', '1.29'), object).problems, [
      '.spec.imagePullSecrets: element 1: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ]);
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod', '1.30'), object).problems, []);
  });

  it('leaves it to the rules of the kind to ask for a key that is required', () => {
    const object = pod({ containers: [{ image: 'i', ports: [{ protocol: 'TCP' }] }] });
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod'), object).problems, []);
  });

  it('refuses what stands twice in a set', () => {
    const object = { metadata: { finalizers: ['a/b', 'a/b', null, {}, []] } };
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod'), object).problems, [
      '.metadata.finalizers: duplicate entries for key [="a/b"]',
      ".metadata.finalizers: element 2: associative list without keys has an element that's an explicit null",
      ".metadata.finalizers: element 3: associative list without keys has an element that's a map type",
      '.metadata.finalizers: element 4: not supported: associative list with lists as elements',
    ]);
  });

  it('takes nulls, quantities in any form, and whole objects within others', () => {
    const limits = { cpu: 1, memory: '1Gi' };
    const spec = { nodeName: null, containers: [{ name: 'a', resources: { limits } }] };
    assert.deepEqual(checkApplied(schemaOf('api.core.v1.Pod'), pod(spec)).problems, []);
    const claim = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'c' } };
    const set = { spec: { volumeClaimTemplates: [claim] } };
    assert.deepEqual(checkApplied(schemaOf('api.apps.v1.StatefulSet'), set).problems, []);
  });
});
