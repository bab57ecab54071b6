import assert from 'node:assert/strict';
import {
  type Arbitrary,
  array,
  assert as holds,
  boolean,
  constantFrom,
  dictionary,
  integer,
  property,
  record,
  uniqueArray,
} from 'fast-check';
import {
  difference,
  type FieldSet,
  fieldSetOf,
  intersection,
  isEmptySet,
  noFields,
  pathsInOrder,
} from '../../../src/apply/field-set.ts';
import { fieldsOfValue } from '../../../src/apply/check-applied.ts';
import { removeFields } from '../../../src/apply/remove-fields.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

const schema = schemaOf('api.core.v1.PodTemplate');
const removed = (value: JsonValue, gone: FieldSet, kept: FieldSet = noFields): JsonValue =>
  removeFields(schema, value, gone, kept);
const fields = (value: JsonValue): FieldSet => fieldsOfValue(schema, value);
const pod = (spec: JsonObject): JsonObject => ({ template: { spec } });
const container = (rest: JsonObject): JsonObject => pod({ containers: [{ name: 'c', image: 'i', ...rest }] });
const below = (...steps: readonly string[]) => ['f:template', 'f:spec', 'f:containers', 'k:{"name":"c"}', ...steps];

describe('fields that are removed', () => {
  it('take an optional struct along, with what nobody owns in it', () => {
    const value = container({ livenessProbe: { httpGet: { port: 80, path: '/' }, periodSeconds: 10 } });
    const gone = fieldSetOf([below('f:livenessProbe', 'f:httpGet', 'f:port')]);
    assert.deepEqual(removed(value, gone), container({}));
  });

  it('leave an optional struct in which something is kept', () => {
    const value = container({ livenessProbe: { httpGet: { port: 80, path: '/' }, periodSeconds: 10 } });
    const gone = fieldSetOf([below('f:livenessProbe', 'f:httpGet', 'f:port')]);
    const kept = fieldSetOf([below('f:livenessProbe', 'f:periodSeconds')]);
    assert.deepEqual(removed(value, gone, kept), container({ livenessProbe: { periodSeconds: 10 } }));
  });

  it('leave what nobody owns in a struct that every object has', () => {
    const value = pod({ restartPolicy: 'Always', dnsPolicy: 'Default' });
    const gone = fieldSetOf([['f:template', 'f:spec', 'f:dnsPolicy']]);
    assert.deepEqual(removed(value, gone), pod({ restartPolicy: 'Always' }));
  });

  it('leave it also where that struct was applied empty', () => {
    const value = pod({ restartPolicy: 'Always' });
    assert.deepEqual(removed(value, fieldSetOf([['f:template', 'f:spec']])), value);
  });

  it('leave what nobody owns in lists and maps', () => {
    const value = {
      metadata: { labels: { a: '1', b: '2' }, finalizers: ['x', 'y'] },
      ...pod({ containers: [{ name: 'c' }, { name: 'd' }] }),
    };
    const gone = fieldSetOf([
      ['f:metadata', 'f:labels', 'f:a'],
      ['f:metadata', 'f:finalizers', 'v:"x"'],
      ['f:template', 'f:spec', 'f:containers', 'k:{"name":"c"}'],
    ]);
    assert.deepEqual(removed(value, gone), {
      metadata: { labels: { b: '2' }, finalizers: ['y'] },
      ...pod({ containers: [{ name: 'd' }] }),
    });
  });
});

describe('the laws of removed fields', () => {
  const word = constantFrom('a', 'b', 'c');
  const probe = record(
    {
      httpGet: record({ port: integer({ min: 1, max: 9 }), path: word }, { requiredKeys: [] }),
      periodSeconds: integer({ min: 1, max: 9 }),
    },
    { requiredKeys: [] },
  );
  const item = record(
    { name: word, image: word, livenessProbe: probe, securityContext: record({ privileged: boolean() }) },
    { requiredKeys: ['name'] },
  );
  const template: Arbitrary<JsonObject> = record(
    {
      metadata: record({ labels: dictionary(word, word), finalizers: uniqueArray(word) }, { requiredKeys: [] }),
      template: record({
        spec: record(
          { containers: uniqueArray(item, { selector: ({ name }) => name, maxLength: 3 }), dnsPolicy: word },
          { requiredKeys: [] },
        ),
      }),
    },
    { requiredKeys: [] },
  )
    // Records come without a prototype, unlike anything that was parsed.
    .map((value) => structuredClone(value));
  const choices = array(boolean(), { minLength: 40, maxLength: 40 });
  /** The members of a set that the choices pick, in their order. Items have their keys as long as they are there. */
  const some = (set: FieldSet, picks: readonly boolean[]): FieldSet =>
    fieldSetOf([...pathsInOrder(set)].filter((path, index) => picks[index] === true && path.at(-1) !== 'f:name'));
  const isAbove = (path: readonly string[], other: readonly string[]): boolean =>
    path.every((step, index) => other[index] === step);
  /** A set with the items and keys that hold its members: nobody owns a part of an item without the item. */
  const withHolders = (set: FieldSet, all: FieldSet): FieldSet => {
    const members = [...pathsInOrder(set)];
    return fieldSetOf([...pathsInOrder(all)].filter((path) => members.some((other) => isAbove(path, other))));
  };

  const laws: Readonly<Record<string, (value: JsonObject, gone: FieldSet, kept: FieldSet) => void>> = {
    'to remove nothing changes nothing': (value) => assert.equal(removed(value, noFields), value),
    'what is removed and not kept is gone': (value, gone, kept) => {
      const left = intersection(fields(removed(value, gone, kept)), difference(gone, kept));
      assert.equal(isEmptySet(left), true);
    },
    'what is kept stays': (value, gone, kept) =>
      assert.equal(isEmptySet(difference(kept, fields(removed(value, difference(gone, kept), kept)))), true),
    'a second time changes nothing': (value, gone, kept) => {
      const once = removed(value, gone, kept);
      assert.deepEqual(removed(once, gone, kept), once);
    },
    'the value itself stays as it is': (value, gone, kept) => {
      const before = structuredClone(value);
      removed(value, gone, kept);
      assert.deepEqual(value, before);
    },
    'to remove all leaves nothing that has an owner': (value) =>
      assert.equal(isEmptySet(fields(removed(value, fields(value)) ?? {})), true),
  };
  for (const [name, law] of Object.entries(laws)) {
    it(name, () =>
      holds(
        property(template, choices, choices, (value, first, second) => {
          const all = fields(value);
          law(value, some(all, first), withHolders(some(all, second), all));
        }),
      ),
    );
  }
});
