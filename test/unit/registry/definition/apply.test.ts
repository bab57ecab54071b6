import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { PatchRequest, RequestScope, WriteOptions } from '../../../../src/registry/definition/registry.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from '../fixture.ts';

const map = (name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const apply = (document: JsonObject): PatchRequest => ({ type: 'apply', document, duplicateFields: [] });
const by = (fieldManager: string, more: Partial<WriteOptions> = {}): WriteOptions => ({
  ...write,
  fieldManager,
  ...more,
});

describe('registry apply', () => {
  let fixture: Fixture;
  let named: RequestScope;
  beforeEach(() => {
    fixture = startFixture({ builtIn: true });
    named = fixture.scope({ name: 'a' });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const managers = (object: JsonObject): unknown[] => {
    const list = child(object, 'metadata')['managedFields'];
    return Array.isArray(list)
      ? (list as JsonObject[]).map(({ manager, operation, time }) => [manager, operation, time])
      : [];
  };

  it('creates a missing object with its metadata', async () => {
    const { created, object } = await maps().patch(named, apply(map('a', { k: 'v' })), by('alice'));
    assert.equal(created, true);
    const metadata = child(parsed(object), 'metadata');
    assert.equal(metadata['namespace'], 'ns');
    assert.equal(metadata['uid'], 'uid-1');
    assert.deepEqual(managers(parsed(object)), [['alice', 'Apply', fixture.clock.time]]);
  });

  it('of the same configuration writes nothing, however late', async () => {
    await maps().patch(named, apply(map('a', { k: 'v' })), by('alice'));
    const revision = await fixture.revision();
    fixture.clock.time = '2027-01-01T00:00:00Z';
    const { object } = await maps().patch(named, apply(map('a', { k: 'v' })), by('alice'));
    assert.equal(await fixture.revision(), revision);
    assert.deepEqual(managers(parsed(object)), [['alice', 'Apply', '2026-01-01T00:00:00Z']]);
  });

  it('of the same quantity in another spelling writes nothing', async () => {
    const quota = (cpu: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: { hard: { cpu } },
    });
    const quotas = fixture.registry('resourcequotas');
    await quotas.patch(named, apply(quota('500m')), by('alice'));
    const revision = await fixture.revision();
    fixture.clock.time = '2027-01-01T00:00:00Z';
    await quotas.patch(named, apply(quota('0.5')), by('alice'));
    assert.equal(await fixture.revision(), revision);
  });

  it('moves the time with what it changes', async () => {
    await maps().patch(named, apply(map('a', { k: 'v' })), by('alice'));
    fixture.clock.time = '2027-01-01T00:00:00Z';
    const { object } = await maps().patch(named, apply(map('a', { k: 'w' })), by('alice'));
    assert.deepEqual(managers(parsed(object)), [['alice', 'Apply', '2027-01-01T00:00:00Z']]);
  });

  it('is refused with a cause for each conflict', async () => {
    await maps().patch(named, apply(map('a', { k: 'v' })), by('alice'));
    const error = await refusal(maps().patch(named, apply(map('a', { k: 'w' })), by('bob')));
    assert.equal(error.reason, 'Conflict');
    assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "alice": .data.k');
    assert.deepEqual(error.details, {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.k' }],
    });
    const { object } = await maps().patch(named, apply(map('a', { k: 'w' })), by('bob', { force: true }));
    assert.deepEqual(managers(parsed(object)), [['bob', 'Apply', fixture.clock.time]]);
  });

  it('takes a resourceVersion for a precondition', async () => {
    const { object } = await maps().patch(named, apply(map('a', { k: '1' })), by('alice'));
    const { resourceVersion = '' } = child(parsed(object), 'metadata');
    await maps().patch(named, apply(map('a', { k: '2' }, { resourceVersion })), by('alice'));
    const error = await refusal(maps().patch(named, apply(map('a', { k: '3' }, { resourceVersion })), by('alice')));
    assert.equal(error.code, 409);
    assert.match(error.message, /the object has been modified/);
  });

  it('does not create an object of a certain uid', async () => {
    const error = await refusal(maps().patch(named, apply(map('a', {}, { uid: 'x' })), by('alice')));
    assert.equal(error.code, 409);
    assert.match(
      error.message,
      /: uid mismatch: the provided object specified uid x, and no existing object was found$/,
    );
  });

  it('compares the uid before the name, which a missing object does not have', async () => {
    const metadatas: readonly JsonObject[] = [
      { uid: 'x' },
      { uid: 'x', name: 'b' },
      { uid: 'x', name: 'a', resourceVersion: 'y' },
    ];
    for (const metadata of metadatas) {
      const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      const error = await refusal(maps().patch(named, apply(document), by('alice')));
      assert.match(error.message, /: uid mismatch: /);
    }
  });

  it('does all but write in a dry run, of a create as well', async () => {
    const before = await fixture.revision();
    const { created, object } = await maps().patch(named, apply(map('a', { k: 'v' })), by('alice', { dryRun: true }));
    assert.equal(created, true);
    assert.equal(child(parsed(object), 'metadata')['resourceVersion'], undefined);
    assert.equal(await fixture.revision(), before);
  });

  it('refuses what breaks the schema, in the words of kube-apiserver', async () => {
    const error = await refusal(maps().patch(named, apply({ ...map('a', {}), foo: 1 }), by('alice')));
    assert.equal(error.code, 500);
    assert.equal(error.message, 'failed to create typed patch object: .foo: field not declared in schema');
    const two = await refusal(maps().patch(named, apply({ ...map('a', { k: 1 }), foo: 1 }), by('alice')));
    assert.match(two.message, /: errors:\n {2}\.data\.k: expected string.*\n {2}\.foo: field not declared in schema$/);
    const later = { ...named, emulated: { ...named.emulated, release: '1.36' } } as const;
    const named136 = await refusal(maps().patch(later, apply({ ...map('a', {}), foo: 1 }), by('alice')));
    assert.match(named136.message, /^failed to create typed patch object \(\/a; \/v1, Kind=ConfigMap\): \.foo: /);
  });

  it('of two appliers at once, both are there', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => maps().patch(named, apply(map('a', { [name]: name })), by(name))),
    );
    const { object } = await maps().patch(named, apply(map('a', { e: 'e' })), by('e'));
    assert.deepEqual(parsed(object)['data'], { a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' });
    assert.equal(managers(parsed(object)).length, 5);
  });

  const labels = { app: 'a' };
  const web = (spec: JsonObject, status?: JsonObject): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec,
    ...(status ? { status } : {}),
  });
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployments = () => fixture.registry('deployments', 'apps');

  it('of a status owns the status alone', async () => {
    await deployments().patch(named, apply(web({ selector: { matchLabels: labels }, template })), by('alice'));
    const scope = { ...named, subresource: 'status' };
    const { object } = await deployments().patch(scope, apply(web({ replicas: 9 }, { replicas: 3 })), by('bob'));
    const result = parsed(object);
    assert.equal(child(result, 'status')['replicas'], 3);
    assert.equal(child(result, 'spec')['replicas'], 1);
    const list = child(result, 'metadata')['managedFields'] as JsonObject[];
    const bob = list.find(({ manager }) => manager === 'bob');
    assert.deepEqual(bob?.['fieldsV1'], { 'f:status': { 'f:replicas': {} } });
    assert.equal(bob?.['subresource'], 'status');
  });

  it('of a status owns no metadata that a status cannot change', async () => {
    await deployments().patch(named, apply(web({ selector: { matchLabels: labels }, template })), by('alice'));
    const scope = { ...named, subresource: 'status' };
    const metadata = { name: 'a', labels: { l: '1' }, annotations: { n: '1' } };
    const document = { ...web({}, { replicas: 3 }), metadata };
    const { object } = await deployments().patch(scope, apply(document), by('bob'));
    const list = child(parsed(object), 'metadata')['managedFields'] as JsonObject[];
    assert.equal(child(parsed(object), 'metadata')['labels'], undefined);
    assert.deepEqual(list.find(({ manager }) => manager === 'bob')?.['fieldsV1'], {
      'f:metadata': { 'f:annotations': { 'f:n': {} } },
      'f:status': { 'f:replicas': {} },
    });
  });

  it('of a scale owns the replicas of its parent', async () => {
    await deployments().patch(named, apply(web({ selector: { matchLabels: labels }, template })), by('alice'));
    const scope = { ...named, subresource: 'scale' };
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 4 } };
    const first = await refusal(deployments().patch(scope, apply(scale), by('scaler')));
    assert.match(
      first.message,
      /"before-first-apply" with subresource "scale" using autoscaling\/v1: \.spec\.replicas$/,
    );
    await deployments().patch(scope, apply(scale), by('scaler', { force: true }));
    const error = await refusal(
      deployments().patch(named, apply(web({ replicas: 1, selector: { matchLabels: labels }, template })), by('alice')),
    );
    assert.equal(
      error.message,
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale": .spec.replicas',
    );
    const again = await fixture.revision();
    await deployments().patch(scope, apply(scale), by('scaler'));
    assert.equal(await fixture.revision(), again);
    const refused = await refusal(deployments().patch(scope, apply({ ...scale, spec: { replicas: 5 } }), by('other')));
    assert.match(refused.message, /conflict with "scaler" with subresource "scale": \.spec\.replicas$/);
  });

  it('of what is there already gives a manager no time', async () => {
    const scope: RequestScope = { ...named, emulated: { ...named.emulated, release: '1.25' } };
    await maps().patch(scope, apply(map('a', { k: 'v' })), by('alice'));
    const { object } = await maps().patch(scope, apply(map('a', { k: 'v' })), by('bob'));
    assert.deepEqual(managers(parsed(object))[0], ['bob', 'Apply', undefined]);
  });

  it('of a scale gives up what it leaves out', async () => {
    await deployments().patch(named, apply(web({ selector: { matchLabels: labels }, template })), by('alice'));
    const scope = { ...named, subresource: 'scale' };
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' } };
    await deployments().patch(scope, apply({ ...scale, spec: { replicas: 4 } }), by('scaler', { force: true }));
    await deployments().patch(scope, apply(scale), by('scaler'));
    const deployment = parsed(await deployments().get(named, { kind: 'latest' }));
    assert.equal(managers(deployment).length, 1);
  });
});

describe('registry strategic merge', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ builtIn: true });
  });
  afterEach(() => fixture.close());

  it('merges by the schema of the version, and reports unknown fields as the options say', async () => {
    const maps = fixture.registry('configmaps');
    const named = fixture.scope({ name: 'a' });
    await maps.create(fixture.scope(), { metadata: { name: 'a', finalizers: ['e/a'] }, data: { a: '1' } }, write);
    const document = { metadata: { finalizers: ['e/b'] }, data: { $patch: 'replace', b: '2' }, foo: 1 };
    const patch: PatchRequest = { type: 'strategic', document, duplicateFields: [] };
    const { object } = await maps.patch(named, patch, { ...write, fieldValidation: 'Warn' });
    assert.deepEqual(parsed(object)['data'], { b: '2' });
    assert.deepEqual(child(parsed(object), 'metadata')['finalizers'], ['e/b', 'e/a']);
    assert.deepEqual(fixture.warnings, ['unknown field "foo"']);
    const error = await refusal(maps.patch(named, patch, { ...write, fieldValidation: 'Strict' }));
    assert.equal(error.code, 422);
  });

  it('answers a broken directive with 400 and its own words', async () => {
    const maps = fixture.registry('configmaps');
    await maps.create(fixture.scope(), { metadata: { name: 'a' }, data: { a: '1' } }, write);
    const patch: PatchRequest = { type: 'strategic', document: { data: { $patch: 'x' } }, duplicateFields: [] };
    const error = await refusal(maps.patch(fixture.scope({ name: 'a' }), patch, write));
    assert.equal(error.code, 400);
    assert.equal(error.message, 'unknown patch type: "x" in map: {"$patch":"x"}');
  });
});
