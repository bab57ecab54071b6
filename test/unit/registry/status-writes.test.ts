import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { applyMergePatch } from '../../../src/patch/merge-patch.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import type { CachedObject } from '../../../src/storage/objects/cached-object.ts';
import { RecentObjects } from '../../../src/storage/objects/recent-objects.ts';
import { child, type Fixture, parsed, startFixture, write } from './fixture.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** Kinds with a status, and what of it may be written. */
const kinds: readonly (readonly [group: string, resource: string, namespace: string, body: JsonObject])[] = [
  ['apps', 'deployments', 'ns', { spec: { selector: { matchLabels: { app: 'a' } }, template } }],
  ['', 'nodes', '', { spec: { podCIDR: '10.0.0.0/24' } }],
  ['', 'namespaces', '', {}],
  ['', 'services', 'ns', { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }],
];

const labels = fc.constantFrom<JsonValue>({ tier: 'web' }, { tier: null }, { 'not valid!': 'x' }, null);
const patches = fc.record<JsonObject>(
  {
    metadata: fc.record(
      {
        labels,
        annotations: fc.constantFrom<JsonValue>({ note: 'n' }, null),
        finalizers: fc.constantFrom<JsonValue>(['example.com/f'], null),
        managedFields: fc.constantFrom<JsonValue>([{}], []),
      },
      { requiredKeys: [] },
    ),
    spec: fc.constantFrom<JsonValue>({ replicas: 7 }, { unknown: true }, { replicas: 'many' }, null),
    status: fc.constantFrom<JsonValue>(
      { replicas: 2, readyReplicas: 1, observedGeneration: 1 },
      { replicas: -1 },
      { phase: 'Active' },
      { capacity: { cpu: '2' } },
      { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
      { unknown: 1 },
      null,
    ),
  },
  { requiredKeys: [] },
);

/** Trees are shared by all who begin with the same state: who changes one is found out. */
class FrozenTrees extends RecentObjects {
  override treeOf(object: CachedObject): JsonObject {
    return deeplyFrozen(super.treeOf(object));
  }
}

describe('a write to the status', () => {
  for (const [group, resource, namespace, body] of kinds) {
    it(`leads from a patch to what the whole document leads to: ${resource}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(patches, { minLength: 1, maxLength: 3 }), async (sequence) => {
          const start = () => startFixture({ builtIn: true, recent: new FrozenTrees() });
          const [patched, replaced] = [start(), start()];
          try {
            const scopeOf = (fixture: Fixture) => fixture.scope({ namespace, name: 'a', subresource: 'status' });
            for (const fixture of [patched, replaced]) {
              const scope = fixture.scope({ namespace });
              await fixture.registry(resource, group).create(scope, { metadata: { name: 'a' }, ...body }, write);
            }
            for (const document of sequence) {
              const live = parsed(await replaced.registry(resource, group).get(scopeOf(replaced), { kind: 'latest' }));
              const whole = applyMergePatch(live, document) as JsonObject;
              const responses = await Promise.all([
                outcome(
                  patched
                    .registry(resource, group)
                    .patch(scopeOf(patched), { type: 'merge', document, duplicateFields: [] }, write),
                ),
                outcome(replaced.registry(resource, group).update(scopeOf(replaced), whole, write)),
              ]);
              assert.deepEqual(responses[0], responses[1]);
            }
          } finally {
            await Promise.all([patched.close(), replaced.close()]);
          }
        }),
        { numRuns: 40 },
      );
    });
  }
});

async function outcome(work: Promise<{ readonly object: Parameters<typeof parsed>[0] }>): Promise<unknown> {
  try {
    const object = parsed((await work).object);
    return { ...object, metadata: { ...child(object, 'metadata'), uid: '', resourceVersion: '' } };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // A patch is told of values of the wrong type as invalid, a document as a bad request.
    return error.reason === 'BadRequest' ? 'Invalid' : error.reason;
  }
}

function deeplyFrozen<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deeplyFrozen(part);
  return Object.freeze(value);
}
