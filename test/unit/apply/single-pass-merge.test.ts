import assert from 'node:assert/strict';
import { type Arbitrary, assert as holds, constant, constantFrom, nat, oneof, property, tuple } from 'fast-check';
import { unownedFields } from '../../../src/apply/unowned-fields.ts';
import { checkApplied } from '../../../src/apply/check-applied.ts';
import {
  difference,
  differenceWithBelow,
  equalSets,
  type FieldSet,
  fieldSetOf,
  noFields,
  union,
} from '../../../src/apply/field-set.ts';
import { fieldsOfValue } from '../../../src/apply/fields-of-value.ts';
import { mergeValues } from '../../../src/apply/merge-values.ts';
import { mergeInOnePass, type SinglePassInput } from '../../../src/apply/single-pass-merge.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { applyDefaults } from '../../../src/scheme/apply-defaults.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { arbitraryDocument } from '../scheme/arbitrary-document.ts';

const status = fieldSetOf([['f:status']]);
const ignored = union(unownedFields, status);

/** What a walk has to agree with: each question asked on its own. */
function ownFields(schema: ObjectSchema, value: JsonObject): FieldSet {
  return difference(differenceWithBelow(fieldsOfValue(schema, value), status), unownedFields);
}

function agrees({ schema, applied, live, expected }: Omit<SinglePassInput, 'ignored'>): void {
  const before = structuredClone([applied, live]);
  const found = mergeInOnePass({ schema, applied, live, expected, ignored });
  assert.deepEqual([applied, live], before);
  if (!found) return;
  assert.deepEqual(checkApplied(schema, applied), []);
  const merged = mergeValues(schema, live, applied);
  assert.deepEqual(found.value, merged);
  assert.equal(JSON.stringify(found.value, shown), JSON.stringify(merged, shown));
  assert.deepEqual(stored(schema, found.normalised), stored(schema, found.value));
  assert.equal(found.asExpected, equalSets(expected, ownFields(schema, applied)));
}

/** An object as it would be stored; whatever it is that cannot be. */
function stored(schema: ObjectSchema, object: JsonObject): JsonObject | string {
  try {
    const { value } = decodeObject(schema, object);
    applyDefaults(schema, value);
    return value;
  } catch (error) {
    return String(error);
  }
}

function shown(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** A deployment with most of what lists can be: atomic, of values, of items with one key or two. */
const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { app: 'd', tier: 'x' }, finalizers: ['a/b', 'a/c'], annotations: {} },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: {
        containers: [
          {
            name: 'a',
            image: 'i',
            args: ['x', 'y'],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
            resources: { limits: { cpu: '1000m', memory: '1Gi' } },
          },
          { name: 'b', image: 'j', securityContext: { runAsNonRoot: true } },
        ],
        tolerations: [{ key: 'k', operator: 'Exists' }],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
  },
};
const schema = schemaOf('api.apps.v1.Deployment');

/** The same, as it is stored. */
const canonical: JsonObject = {
  ...deployment,
  metadata: { name: 'd', labels: { app: 'd', tier: 'x' } },
  spec: { ...objectAt(deployment, 'spec'), template: { spec: { containers: [{ name: 'b', image: 'j' }] } } },
};

/** What may become of any one part. */
const replacements = constantFrom<JsonValue | undefined>(
  undefined,
  null,
  'turned',
  7,
  true,
  {},
  [],
  ['z'],
  [null],
  [{}],
);

/** The value with the part at a place, counted from the front, replaced, left out or turned round. */
function changedAt(value: JsonValue, place: number, replacement: JsonValue | undefined): JsonValue {
  let left = place;
  const visit = (part: JsonValue): JsonValue | undefined => {
    if (left-- === 0) return replacement === 'turned' && Array.isArray(part) ? part.toReversed() : replacement;
    if (Array.isArray(part)) return part.map(visit).filter((item) => item !== undefined);
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part).map(([key, item]) => [key, visit(item)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  };
  return visit(value) ?? {};
}

const variant: Arbitrary<JsonObject> = tuple(nat(80), replacements)
  .map(([place, replacement]) => changedAt(deployment, place + 1, replacement))
  .map((value) => (isJsonObject(value) ? value : {}));
const variants = oneof(constant(deployment), variant);

const options = { numRuns: 500 };

describe('a merge in one pass', () => {
  it('takes an ordinary configuration in one walk', () => {
    const live = decodeObject(schema, deployment).value;
    const expected = ownFields(schema, deployment);
    const found = mergeInOnePass({ schema, applied: deployment, live, expected, ignored });
    assert.ok(found?.asExpected);
    assert.deepEqual(found.value, mergeValues(schema, live, deployment));
  });

  it('shares every part of the live value that stays the same', () => {
    const live = decodeObject(schema, canonical).value;
    assert.equal(mergeInOnePass({ schema, applied: canonical, live, expected: noFields, ignored })?.value, live);
    const applied = { ...canonical, spec: { ...objectAt(canonical, 'spec'), replicas: 2 } };
    const value = mergeInOnePass({ schema, applied, live, expected: noFields, ignored })?.value ?? {};
    assert.equal(objectAt(value, 'spec')['replicas'], 2);
    assert.equal(objectAt(value, 'spec')['template'], objectAt(live, 'spec')['template']);
    assert.equal(value['metadata'], live['metadata']);
  });

  it('knows the live value again where it is only spelled in another way', () => {
    const live = stored(schema, deployment);
    assert.ok(typeof live === 'object');
    const found = mergeInOnePass({ schema, applied: deployment, live, expected: noFields, ignored });
    assert.notEqual(objectAt(found?.value ?? {}, 'spec', 'template'), objectAt(live, 'spec', 'template'));
    assert.equal(objectAt(found?.normalised ?? {}, 'spec', 'template'), objectAt(live, 'spec', 'template'));
  });

  it('agrees with what checks, merges and names the fields, whatever is changed on either side', () =>
    holds(
      property(variants, variants, variants, (applied, other, last) => {
        const live = checkApplied(schema, other).length === 0 ? other : deployment;
        const expected = ownFields(schema, last);
        agrees({ schema, applied, live, expected });
        agrees({ schema, applied, live: decodedOr(live, deployment), expected });
        const filled = stored(schema, live);
        if (typeof filled === 'object') agrees({ schema, applied, live: filled, expected });
        agrees({ schema, applied, live: undefined, expected: ownFields(schema, applied) });
      }),
      options,
    ));

  for (const message of ['api.core.v1.Pod', 'api.core.v1.Service', 'api.apps.v1.StatefulSet', 'api.core.v1.Node']) {
    const kind = schemaOf(message);
    it(`agrees with them for any ${message}`, () =>
      holds(
        property(arbitraryDocument(kind), arbitraryDocument(kind), (applied, live) => {
          agrees({ schema: kind, applied, live, expected: ownFields(kind, applied) });
          agrees({ schema: kind, applied, live, expected: ownFields(kind, live) });
          agrees({ schema: kind, applied, live: applied, expected: ownFields(kind, applied) });
          agrees({ schema: kind, applied, live: undefined, expected: noFields });
        }),
        options,
      ));
  }
});

function decodedOr(value: JsonObject, otherwise: JsonObject): JsonObject {
  try {
    return decodeObject(schema, value).value;
  } catch {
    return decodeObject(schema, otherwise).value;
  }
}
