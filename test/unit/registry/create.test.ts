import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from './fixture.ts';

describe('registry create', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture({ names: ['x-1', 'x-1', 'x-2'] });
  });
  afterEach(() => fixture.close());

  const secret = { metadata: { name: 'a', labels: { x: '1' } }, data: { p: 'c2VjcmV0' }, type: 'Opaque' };

  it('stamps metadata and answers the stored object with its revision', async () => {
    const response = parsed(await fixture.registry('secrets').create(fixture.scope(), secret, write));
    const { managedFields, ...metadata } = child(response, 'metadata');
    assert.deepEqual(metadata, {
      name: 'a',
      namespace: 'ns',
      uid: 'uid-1',
      resourceVersion: String(await fixture.revision()),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { x: '1' },
    });
    assert.deepEqual(managedFields, [
      {
        manager: 'tester',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:data': { '.': {}, 'f:p': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
          'f:type': {},
        },
      },
    ]);
    const read = await fixture.registry('secrets').get(fixture.scope({ name: 'a' }), { kind: 'latest' });
    assert.deepEqual(parsed(read), response);
  });

  it('refuses a name that is taken', async () => {
    await fixture.registry('secrets').create(fixture.scope(), secret, write);
    const error = await refusal(fixture.registry('secrets').create(fixture.scope(), secret, write));
    assert.equal(error.code, 409);
    assert.equal(error.reason, 'AlreadyExists');
    assert.equal(error.message, 'secrets "a" already exists');
  });

  it('draws a generated name again when it is taken', async () => {
    const body = { metadata: { generateName: 'x-' } };
    const first = parsed(await fixture.registry('configmaps').create(fixture.scope(), body, write));
    const second = parsed(await fixture.registry('configmaps').create(fixture.scope(), body, write));
    assert.equal(child(first, 'metadata')['name'], 'x-1');
    assert.equal(child(second, 'metadata')['name'], 'x-2');
  });

  it('gives up on a generated name with a hint to try again', async () => {
    const taken = startFixture({ names: Array.from({ length: 20 }, () => 'x-1') });
    const body = { metadata: { generateName: 'x-' } };
    await taken.registry('configmaps').create(taken.scope(), body, write);
    const error = await refusal(taken.registry('configmaps').create(taken.scope(), body, write));
    assert.match(error.message, /already exists, the server was not able to generate a unique name for the object$/);
    assert.equal(error.details?.retryAfterSeconds, 1);
    await taken.close();
  });

  it('writes nothing in a dry run and answers without a resourceVersion', async () => {
    const before = await fixture.revision();
    const response = await fixture.registry('secrets').create(fixture.scope(), secret, { ...write, dryRun: true });
    assert.equal(child(parsed(response), 'metadata')['resourceVersion'], undefined);
    assert.equal(await fixture.revision(), before);
  });

  it('refuses a dry run for a name that is taken', async () => {
    await fixture.registry('secrets').create(fixture.scope(), secret, write);
    const error = await refusal(
      fixture.registry('secrets').create(fixture.scope(), secret, { ...write, dryRun: true }),
    );
    assert.equal(error.reason, 'AlreadyExists');
  });

  it('lists unknown and duplicate fields when they are forbidden', async () => {
    const options = { ...write, fieldValidation: 'Strict' as const, duplicateFields: ['data'] };
    const body = { kind: 'Secret', apiVersion: 'v1', ...secret, foo: 1, metadata: { name: 'a', bar: 2 } };
    const error = await refusal(fixture.registry('secrets').create(fixture.scope(), body, options));
    assert.equal(error.code, 400);
    assert.equal(
      error.message,
      'Secret in version "v1" cannot be handled as a Secret: strict decoding error: unknown field "metadata.bar", duplicate field "data", unknown field "foo"',
    );
  });

  it('warns of unknown fields once and drops them', async () => {
    const body = { metadata: { generateName: 'x-' }, foo: 1 };
    const options = { ...write, fieldValidation: 'Warn' as const };
    await fixture.registry('configmaps').create(fixture.scope(), body, write);
    const response = await fixture.registry('configmaps').create(fixture.scope(), body, options);
    assert.deepEqual(fixture.warnings, ['unknown field "foo"']);
    assert.equal(parsed(response)['foo'], undefined);
  });

  const refused: readonly (readonly [name: string, body: object, code: number, message: RegExp])[] = [
    ['another namespace', { metadata: { name: 'a', namespace: 'b' } }, 400, /^the namespace of the provided object/],
    ['a resourceVersion', { metadata: { name: 'a', resourceVersion: '1' } }, 500, /should not be set/],
    ['a wrong type', { metadata: { name: 'a' }, data: [] }, 400, /cannot be handled as a Secret: /],
    ['no name', { metadata: {} }, 422, /metadata.name: Required value: name or generateName is required/],
    ['a bad name', { metadata: { name: 'B_x' } }, 422, /^Secret "B_x" is invalid: metadata.name: Invalid value: "B_x"/],
    ['a bad label', { metadata: { name: 'a', labels: { __proto__x: '' } } }, 422, /metadata.labels: Invalid value/],
    ['a plain finalizer', { metadata: { name: 'a', finalizers: ['x'] } }, 422, /metadata.finalizers\[0\]/],
    ['long annotations', { metadata: { name: 'a', annotations: { a: 'x'.repeat(262144) } } }, 422, /Too long/],
    ['half an owner', { metadata: { name: 'a', ownerReferences: [{ name: 'x' }] } }, 422, /uid must not be empty/],
    [
      'an owner of no group and version',
      { metadata: { name: 'a', ownerReferences: [{ apiVersion: 'a/b/c', kind: 'K', name: 'x', uid: 'u' }] } },
      422,
      /ownerReferences.apiVersion: Invalid value: "a\/b\/c": version must not be empty/,
    ],
  ];
  for (const [what, body, code, message] of refused) {
    it(`refuses ${what}`, async () => {
      const error = await refusal(fixture.registry('secrets').create(fixture.scope(), { ...body }, write));
      assert.match(error.message, message);
      assert.equal(error.code, code);
    });
  }

  it('ignores metadata that belongs to the server', async () => {
    const metadata = {
      name: 'a',
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      selfLink: '/x',
      managedFields: [{ manager: 'm', operation: 'Nonsense', fieldsV1: { 'k:{': {} } }],
    };
    const response = parsed(await fixture.registry('configmaps').create(fixture.scope(), { metadata }, write));
    assert.deepEqual(child(response, 'metadata'), {
      name: 'a',
      namespace: 'ns',
      uid: 'uid-1',
      resourceVersion: String(await fixture.revision()),
      creationTimestamp: '2026-01-01T00:00:00Z',
    });
  });

  it('notes who said that it is being deleted, and makes it live', async () => {
    const metadata = { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 };
    const response = parsed(await fixture.registry('configmaps').create(fixture.scope(), { metadata }, write));
    const { managedFields, ...rest } = child(response, 'metadata');
    assert.deepEqual(Object.keys(rest), ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']);
    assert.deepEqual(
      (managedFields as JsonObject[]).map(({ fieldsV1 }) => fieldsV1),
      [{ 'f:metadata': { 'f:deletionGracePeriodSeconds': {}, 'f:deletionTimestamp': {} } }],
    );
  });

  it('keeps a generation where the server counts none, as kube-apiserver does', async () => {
    const body = { metadata: { name: 'a', generation: 7 } };
    const response = parsed(await fixture.registry('configmaps').create(fixture.scope(), body, write));
    assert.equal(child(response, 'metadata')['generation'], 7);
  });

  it('resets a status that is a sub-resource and begins the generation at 1', async () => {
    const body = {
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      status: { replicas: 3 },
    };
    const response = parsed(await fixture.registry('deployments', 'apps').create(fixture.scope(), body, write));
    assert.equal(child(response, 'metadata')['generation'], 1);
    assert.equal(child(response, 'status')['replicas'], undefined);
  });

  it('drops owners that stand twice and says so', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
    const metadata = { name: 'a', ownerReferences: [owner, { ...owner, uid: 'v' }, { ...owner }] };
    const response = parsed(await fixture.registry('configmaps').create(fixture.scope(), { metadata }, write));
    assert.deepEqual(child(response, 'metadata')['ownerReferences'], [owner, { ...owner, uid: 'v' }]);
    assert.match(fixture.warnings.join(), /duplicate UID\(s\) observed: u$/);
  });

  it('refuses a version that is not served', async () => {
    const error = await refusal(fixture.registry('secrets').create(fixture.scope({ version: 'v9' }), secret, write));
    assert.equal(error.code, 404);
  });
});
