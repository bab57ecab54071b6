import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { RequestScope } from '../../../../src/registry/definition/registry.ts';
import { required } from '../../../../src/status/field-error.ts';
import { child, type Fixture, parsed, refusal, remove, startFixture, write, type KindStrategy } from '../fixture.ts';

const strategies: readonly KindStrategy[] = [
  {
    group: 'coordination',
    resource: 'leases',
    strategy: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
  },
  {
    group: '',
    resource: 'configmaps',
    strategy: {
      validateUpdate: (object) => (child(object, 'metadata')['labels'] ? [required('second')] : []),
      validate: (object) => (object['immutable'] === true ? [required('third')] : []),
    },
  },
];

describe('registry update', () => {
  let fixture: Fixture;
  let named: RequestScope;
  let created: JsonObject;
  beforeEach(async () => {
    fixture = startFixture({ strategies });
    named = fixture.scope({ name: 'a' });
    created = parsed(await secrets().create(fixture.scope(), { metadata: { name: 'a' }, data: { p: 'AAAA' } }, write));
  });
  afterEach(() => fixture.close());
  const secrets = () => fixture.registry('secrets');

  it('replaces the object and keeps what belongs to the server', async () => {
    fixture.clock.time = '2026-01-02T00:00:00Z';
    const body = {
      metadata: { name: 'a', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' },
      data: { q: 'AAAA' },
    };
    const { created: isNew, object } = await secrets().update(named, body, write);
    assert.equal(isNew, false);
    const response = parsed(object);
    assert.deepEqual(response['data'], { q: 'AAAA' });
    const { managedFields, resourceVersion, ...metadata } = child(response, 'metadata');
    assert.deepEqual(metadata, {
      name: 'a',
      namespace: 'ns',
      uid: 'uid-1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    });
    assert.equal(resourceVersion, String(await fixture.revision()));
    assert.equal(JSON.stringify(managedFields).includes('f:q'), true);
    assert.equal(JSON.stringify(managedFields).includes('f:p'), false);
  });

  it('writes nothing when nothing changes, whatever the order of keys', async () => {
    fixture.clock.time = '2026-01-02T00:00:00Z';
    const { kind, apiVersion, metadata, ...rest } = created;
    const { object } = await secrets().update(named, { ...rest, metadata, apiVersion, kind } as JsonObject, write);
    assert.deepEqual(parsed(object), created);
    assert.equal(child(created, 'metadata')['resourceVersion'], String(await fixture.revision()));
  });

  it('writes nothing in a dry run', async () => {
    const before = await fixture.revision();
    const body = { metadata: { name: 'a' }, data: { q: 'AAAA' } };
    const { object } = await secrets().update(named, body, { ...write, dryRun: true });
    assert.deepEqual(parsed(object)['data'], { q: 'AAAA' });
    assert.equal(await fixture.revision(), before);
  });

  it('refuses a state that is no longer the newest', async () => {
    await secrets().update(named, { metadata: { name: 'a' }, data: { q: 'AAAA' } }, write);
    const error = await refusal(secrets().update(named, created, write));
    assert.equal(error.code, 409);
    assert.equal(
      error.message,
      'Operation cannot be fulfilled on secrets "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  it('starts over when another writer is faster', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(
      names.map((name) => {
        const merge = { type: 'merge', document: { data: { [name]: 'AAAA' } }, duplicateFields: [] } as const;
        return retried(() => secrets().patch(named, merge, write));
      }),
    );
    const data = child(parsed(await secrets().get(named, { kind: 'latest' })), 'data');
    assert.equal(Object.keys(data).length, names.length + 1);
  });

  const refused: readonly (readonly [what: string, metadata: object, code: number, message: RegExp])[] = [
    ['another name', { name: 'b' }, 400, /^the name of the object \(b\) does not match the name on the URL \(a\)$/],
    ['no name', {}, 400, /was undeterminable/],
    ['another namespace', { name: 'a', namespace: 'b' }, 400, /does not match the namespace on the request \(ns\)/],
    [
      'another uid',
      { name: 'a', uid: 'x' },
      409,
      /Precondition failed: UID in precondition: x, UID in object meta: uid-1/,
    ],
    ['a malformed version', { name: 'a', resourceVersion: 'abc' }, 422, /parsing "abc": invalid syntax/],
    ['a version too large', { name: 'a', resourceVersion: '18446744073709551615' }, 409, /has been modified/],
    [
      'a deletion',
      { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z' },
      422,
      /deletionTimestamp.*field is immutable/,
    ],
  ];
  for (const [what, metadata, code, message] of refused) {
    it(`refuses ${what}`, async () => {
      const error = await refusal(secrets().update(named, { metadata: { ...metadata } }, write));
      assert.match(error.message, message);
      assert.equal(error.code, code);
    });
  }

  it('does not find a missing object', async () => {
    const error = await refusal(secrets().update({ ...named, name: 'b' }, { metadata: { name: 'b' } }, write));
    assert.equal(error.message, 'secrets "b" not found');
  });

  it('creates a missing object of a kind that allows it', async () => {
    const leases = fixture.registry('leases', 'coordination.k8s.io');
    const response = await leases.update(named, { metadata: { name: 'a' } }, write);
    assert.equal(response.created, true);
    assert.equal(child(parsed(response.object), 'metadata')['uid'], 'uid-2');
  });

  it('demands a resourceVersion for a kind that has no unconditional updates', async () => {
    const leases = fixture.registry('leases', 'coordination.k8s.io');
    await leases.create(fixture.scope(), { metadata: { name: 'a' } }, write);
    const error = await refusal(leases.update(named, { metadata: { name: 'a' } }, write));
    assert.equal(error.code, 422);
    assert.equal(
      error.message,
      'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: "": must be specified for an update',
    );
  });

  it('reports what the object may not be before what an update may not do', async () => {
    const maps = fixture.registry('configmaps');
    await maps.create(fixture.scope(), { metadata: { name: 'a' } }, write);
    const body = { metadata: { name: 'a', labels: { x: 'y' } }, immutable: true };
    const error = await refusal(maps.update(named, body, write));
    assert.deepEqual(
      error.details?.causes?.map(({ field }) => field),
      ['third', 'second'],
    );
  });

  it('gives the last finalizer to the update that removes the object', async () => {
    const maps = fixture.registry('configmaps');
    await maps.create(fixture.scope(), { metadata: { name: 'a', finalizers: ['x.io/hold'] } }, write);
    await maps.delete(named, remove);
    const response = await maps.update(named, { metadata: { name: 'a' }, data: { a: 'b' } }, write);
    assert.deepEqual(parsed(response.object)['data'], { a: 'b' });
    assert.equal((await refusal(maps.get(named, { kind: 'latest' }))).reason, 'NotFound');
  });

  it('lets an object that is being deleted lose finalizers but not gain them', async () => {
    const maps = fixture.registry('configmaps');
    await maps.create(fixture.scope(), { metadata: { name: 'a', finalizers: ['x.io/hold'] } }, write);
    await maps.delete(named, remove);
    const body = { metadata: { name: 'a', finalizers: ['x.io/hold', 'x.io/more'] } };
    const error = await refusal(maps.update(named, body, write));
    assert.equal(
      error.message,
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/more"}',
    );
    assert.equal(error.details?.causes?.length, 1);
  });
});

describe('registry update of status', () => {
  const deployment = {
    metadata: { name: 'a' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture();
    await deployments().create(fixture.scope(), deployment, write);
  });
  afterEach(() => fixture.close());
  const deployments = () => fixture.registry('deployments', 'apps');

  it('changes status and metadata and leaves the rest', async () => {
    const scope = fixture.scope({ name: 'a', subresource: 'status' });
    const body = {
      metadata: { name: 'a', labels: { l: 'x' } },
      spec: { ...deployment.spec, replicas: 9 },
      status: { replicas: 3 },
    };
    const response = parsed((await deployments().update(scope, body, { ...write, fieldManager: 'controller' })).object);
    assert.equal(child(response, 'spec')['replicas'], 1);
    assert.equal(child(response, 'status')['replicas'], 3);
    assert.deepEqual(child(response, 'metadata')['labels'], { l: 'x' });
    assert.equal(child(response, 'metadata')['generation'], 1);
    const managers = child(response, 'metadata')['managedFields'];
    assert.ok(Array.isArray(managers));
    assert.deepEqual(
      managers.map((entry) => [(entry as JsonObject)['manager'], (entry as JsonObject)['subresource']]),
      [
        ['controller', 'status'],
        ['tester', undefined],
      ],
    );
  });

  it('is not changed by an update of the object, which raises the generation for its spec alone', async () => {
    const named = fixture.scope({ name: 'a' });
    const body = { ...deployment, spec: { ...deployment.spec, replicas: 2 }, status: { replicas: 3 } };
    const response = parsed((await deployments().update(named, body, write)).object);
    assert.equal(child(response, 'status')['replicas'], undefined);
    assert.equal(child(response, 'metadata')['generation'], 2);
    const labels = { type: 'merge', document: { metadata: { labels: { x: 'y' } } }, duplicateFields: [] } as const;
    const labelled = parsed((await deployments().patch(named, labels, write)).object);
    assert.equal(child(labelled, 'metadata')['generation'], 2);
  });
});

/** A client that tries a conflict again, as clients do. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('has been modified')) throw error;
    }
  }
}
