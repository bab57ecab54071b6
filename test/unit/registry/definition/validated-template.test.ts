import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../../src/meta/json-value.ts';
import { objectAt } from '../../../../src/meta/read-field.ts';
import type { PatchRequest } from '../../../../src/registry/definition/registry.ts';
import { schemaOf } from '../../../../src/scheme/schema-of.ts';
import { isValidatedPart } from '../../../../src/scheme/validated-parts.ts';
import type { CachedObject } from '../../../../src/storage/objects/cached-object.ts';
import { RecentObjects } from '../../../../src/storage/objects/recent-objects.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from '../fixture.ts';

const container: JsonObject = {
  name: 'c',
  image: 'i:1',
  ports: [{ containerPort: 80 }],
  env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  resources: { limits: { cpu: '1000m' } },
};
const labels = { app: 'a' };
const deployment = (replicas: number, pod: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { serviceAccountName: 's', containers: [container], ...pod } },
  },
});

const apply = (document: JsonObject): PatchRequest => ({ type: 'apply', document, duplicateFields: [] });
const merge = (document: JsonValue): PatchRequest => ({ type: 'merge', document, duplicateFields: [] });
const json = (...operations: JsonObject[]): PatchRequest => ({ type: 'json', operations, duplicateFields: [] });

/** Writes in which templates stay, change, move and break. */
const writes: readonly (readonly [string, PatchRequest])[] = [
  ['creates', apply(deployment(1))],
  ['scales', apply(deployment(2))],
  ['says the same', apply(deployment(2))],
  [
    'changes what a default of the containers depends on',
    merge({ spec: { template: { spec: { hostNetwork: true } } } }),
  ],
  ['changes the image', apply(deployment(3, { containers: [{ ...container, image: 'i:2' }] }))],
  ['labels', merge({ metadata: { labels: { a: 'b' } } })],
  ['scales beside a label', merge({ spec: { replicas: 7 }, metadata: { labels: { a: 'c' } } })],
  ['breaks the template', merge({ spec: { template: { spec: { restartPolicy: 'Never' } } } })],
  ['breaks what selects', merge({ spec: { template: { metadata: { labels: null } } } })],
  ['puts the template into itself', json({ op: 'copy', from: '/spec/template', path: '/spec/template/spec' })],
  [
    'shares a disk',
    merge({ spec: { template: { spec: { volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }] } } } }),
  ],
  ['leaves one pod', merge({ spec: { replicas: 1 } })],
  ['removes a field', apply(deployment(1, { serviceAccountName: 'other' }))],
  ['writes nulls', merge({ spec: { template: { spec: { nodeSelector: null } } } })],
];

async function played(fixture: Fixture): Promise<readonly unknown[]> {
  const deployments = fixture.registry('deployments', 'apps');
  const responses: unknown[] = [];
  for (const [name, patch] of writes) {
    const options = { ...write, fieldManager: 'm', force: true };
    const response = await deployments.patch(fixture.scope({ name: 'a' }), patch, options).then(
      ({ object }) => parsed(object),
      (error: unknown) => String(error),
    );
    responses.push([name, response]);
  }
  return responses;
}

/** A server that has just started knows no trees, and so no parts that are settled. */
class ForgottenObjects extends RecentObjects {
  override treeOf(object: CachedObject): JsonObject {
    return object.decode();
  }
}

class WatchedObjects extends RecentObjects {
  readonly trees: JsonObject[] = [];

  override treeOf(object: CachedObject): JsonObject {
    const tree = super.treeOf(object);
    this.trees.push(tree);
    return tree;
  }
}

describe('the large part of an object', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ builtIn: true });
  });
  afterEach(() => fixture.close());

  const storedTemplate = async (): Promise<JsonObject> => {
    const current = await fixture.registry('deployments', 'apps').get(fixture.scope({ name: 'a' }), { kind: 'latest' });
    return objectAt(parsed(current), 'spec', 'template');
  };

  it('is read, filled and checked as on a server that has just started', async () => {
    const forgetful = startFixture({ builtIn: true, recent: new ForgottenObjects() });
    try {
      assert.deepEqual(await played(fixture), await played(forgetful));
    } finally {
      await forgetful.close();
    }
  });

  it('is the same one after a write that leaves it alone', async () => {
    const recent = new WatchedObjects();
    const watched = startFixture({ builtIn: true, recent });
    await played(watched);
    await watched.close();
    // The first is what the first change found: a new object is read when it is first changed.
    const [, first, second] = recent.trees.map((tree) => objectAt(tree, 'spec', 'template'));
    assert.ok(first && isValidatedPart(first, schemaOf('api.core.v1.PodTemplateSpec')));
    assert.equal(first, second);
  });

  it('is held longer for an object that was changed than for a new one', async () => {
    const recent = new WatchedObjects();
    const watched = startFixture({ builtIn: true, recent });
    const held: string[] = [];
    recent.remember = (object, _parts, isNew) => void (isNew || held.push(object.name));
    const deployments = watched.registry('deployments', 'apps');
    await deployments.patch(watched.scope({ name: 'a' }), apply(deployment(1)), write);
    assert.deepEqual(held, []);
    await deployments.patch(watched.scope({ name: 'a' }), apply(deployment(2)), write);
    assert.deepEqual(held, ['a']);
    await watched.close();
  });

  it('stays as it is where a write that changes it is refused', async () => {
    const deployments = fixture.registry('deployments', 'apps');
    const scope = fixture.scope({ name: 'a' });
    await deployments.patch(scope, apply(deployment(1)), write);
    const before = await storedTemplate();
    const patch = merge({ spec: { template: { spec: { hostNetwork: true, restartPolicy: 'Never' } } } });
    assert.equal((await refusal(deployments.patch(scope, patch, write))).code, 422);
    await deployments.patch(scope, merge({ spec: { replicas: 2 } }), write);
    assert.deepEqual(await storedTemplate(), before);
    assert.equal(child(before, 'spec')['hostNetwork'], undefined);
  });
});
