import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { changeOfNew } from '../../../src/apply/change-of-new.ts';
import { fieldSetOf, pathsInOrder } from '../../../src/apply/field-set.ts';
import { type ComparedChange, compareChange } from '../../../src/apply/update-managed-fields.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

const names = fc.constantFrom('a', 'b', '1:b', ')', 'a)(', '__proto__');
const texts = fc.constantFrom('', 'x', 'y');
const map = fc.dictionary(names, texts, { maxKeys: 3 });
const optional = <T>(shape: Record<string, fc.Arbitrary<T>>) => fc.record(shape, { requiredKeys: [] });
const port = optional<unknown>({
  containerPort: fc.constantFrom(0, 80, 443),
  protocol: fc.constantFrom('TCP', 'UDP'),
  name: fc.constantFrom('', 'web'),
});
const container = optional<unknown>({
  name: fc.constantFrom('c', 'd'),
  image: texts,
  ports: fc.array(port, { maxLength: 3 }),
  resources: optional({ limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2')) }),
  securityContext: fc.constantFrom(null, {}, { privileged: false }),
});
const metadata = optional<unknown>({
  name: texts,
  labels: map,
  annotations: map,
  finalizers: fc.array(names, { maxLength: 2 }),
  creationTimestamp: fc.constantFrom(null, '2026-01-01T00:00:00Z'),
  managedFields: fc.constantFrom(null, [], [{ manager: 'm' }]),
});
const pod = optional<unknown>({
  metadata,
  spec: optional<unknown>({
    containers: fc.array(container, { maxLength: 3 }),
    nodeSelector: map,
    tolerations: fc.array(optional({ key: texts }), { maxLength: 2 }),
  }),
  status: fc.constantFrom({}, { phase: 'Running' }),
});
const deployment = optional<unknown>({
  metadata,
  spec: optional<unknown>({
    replicas: fc.constantFrom(0, 1),
    selector: optional({ matchLabels: map }),
    strategy: fc.constant({}),
  }),
  status: fc.constantFrom({}, { replicas: 0 }, { replicas: 2, conditions: [] }),
});
const resets = [fieldSetOf([['f:status']]), fieldSetOf([['f:metadata', 'f:labels']])];

function pathsOf({ comparison }: ComparedChange): unknown {
  return Object.entries(comparison).map(([part, set]) => [part, [...pathsInOrder(set)]]);
}

describe('The change that creates an object', () => {
  for (const [message, objects] of [
    ['api.core.v1.Pod', pod],
    ['api.apps.v1.Deployment', deployment],
  ] as const) {
    it(`is that of a comparison with nothing, whatever was created before: ${message}`, () => {
      const schema = schemaOf(message);
      fc.assert(
        fc.property(objects, fc.constantFrom(...resets), (given, reset) => {
          const { value } = decodeObject(schema, given as JsonObject);
          const compared = compareChange({ schema, live: {}, next: value }, reset);
          assert.deepEqual(pathsOf(changeOfNew(schema, value, reset)), pathsOf(compared));
        }),
        { numRuns: 1_500 },
      );
    });
  }

  it('is the same one for objects of one shape', () => {
    const schema = schemaOf('api.core.v1.Pod');
    const [reset] = resets;
    const made = (name: string, label: string) =>
      changeOfNew(
        schema,
        { metadata: { name, labels: { [label]: name } }, spec: { containers: [{ name: 'c' }] } },
        reset ?? assert.fail(),
      );
    assert.equal(made('one', 'app'), made('two', 'app'));
    assert.notEqual(made('one', 'app'), made('one', 'tier'));
  });
});
