import assert from 'node:assert/strict';
import { assert as holds, property } from 'fast-check';
import { checkApplied } from '../../../src/apply/check-applied.ts';
import { hasSameForm, mergeValues } from '../../../src/apply/merge-values.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { applyDefaults } from '../../../src/scheme/apply-defaults.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { arbitraryDocument } from '../scheme/arbitrary-document.ts';

const schema = schemaOf('api.apps.v1.Deployment');

/** A Deployment with a quantity and a volume that are stored in other words. */
const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { app: 'd' }, finalizers: ['a/b', 'a/c'] },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: {
        containers: [{ name: 'a', image: 'i', resources: { limits: { cpu: '1000m', memory: '1Gi' } } }],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
  },
};

/** An object as it would be stored; the error of one that cannot be. */
function stored(kind: ObjectSchema, object: JsonObject): JsonObject | string {
  try {
    const { value } = decodeObject(kind, object);
    applyDefaults(kind, value);
    return value;
  } catch (error) {
    return String(error);
  }
}

function merged(
  kind: ObjectSchema,
  live: JsonObject,
  applied: JsonObject,
  ...more: [typeof hasSameForm] | []
): JsonObject {
  const value = mergeValues(kind, live, applied, ...more);
  return isJsonObject(value) ? value : assert.fail('no object');
}

describe('a merge', () => {
  const live = decodeObject(schema, deployment).value;

  it('shares every part of the live value that stays the same', () => {
    assert.equal(mergeValues(schema, live, live), live);
    assert.equal(mergeValues(schema, live, structuredClone(live)), live);
    const applied = { ...live, spec: { ...objectAt(live, 'spec'), replicas: 2 } };
    const value = merged(schema, live, structuredClone(applied));
    assert.equal(objectAt(value, 'spec')['replicas'], 2);
    assert.equal(objectAt(value, 'spec')['template'], objectAt(live, 'spec')['template']);
    assert.equal(value['metadata'], live['metadata']);
  });

  it('knows the live value again where it is only spelled in another way', () => {
    const whole = stored(schema, deployment);
    assert.ok(typeof whole === 'object');
    const first = merged(schema, whole, deployment);
    assert.notEqual(objectAt(first, 'spec', 'template'), objectAt(whole, 'spec', 'template'));
    const normalised = merged(schema, whole, first, hasSameForm);
    assert.equal(objectAt(normalised, 'spec', 'template'), objectAt(whole, 'spec', 'template'));
  });

  for (const message of ['api.core.v1.Pod', 'api.core.v1.Service', 'api.apps.v1.StatefulSet', 'api.core.v1.Node']) {
    const kind = schemaOf(message);
    it(`is stored alike in the form of the live value, and changes neither value, for any ${message}`, () =>
      holds(
        property(arbitraryDocument(kind), arbitraryDocument(kind), (applied, before) => {
          if ([applied, before].some((value) => checkApplied(kind, value).problems.length > 0)) return;
          const copies = structuredClone([applied, before]);
          const first = merged(kind, before, applied);
          assert.deepEqual(stored(kind, merged(kind, before, first, hasSameForm)), stored(kind, first));
          assert.deepEqual(merged(kind, first, applied), first);
          assert.deepEqual([applied, before], copies);
        }),
        { numRuns: 300 },
      ));
  }
});
