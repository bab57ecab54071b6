import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { child, type Fixture, parsed, refusal, startFixture, write } from './fixture.ts';

const server = { ...write, fieldManager: 'server' };
const path = ['f:status', 'f:used', 'f:pods'];
const [firstTime, laterTime] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z'];

describe('a change of own values', () => {
  let fixture: Fixture;
  /** The operations that admission was asked about, and the objects that it is to change. */
  let admitted: string[];
  let labelled = '';
  const plugin: AdmissionPlugin = {
    name: 'Watching',
    operations: ['CREATE', 'UPDATE'],
    mutate: ({ object }) => {
      if (labelled !== '' && object) child(object, 'metadata')['labels'] = { by: labelled };
    },
    validate: ({ operation, subresource, name }) => void admitted.push(`${operation} ${subresource} ${name}`),
  };
  beforeEach(() => {
    admitted = [];
    labelled = '';
    fixture = startFixture({ builtIn: true, plugins: [plugin] });
  });
  afterEach(() => fixture.close());

  const quotas = () => fixture.registry('resourcequotas');
  const scopeOf = (name: string) => fixture.scope({ name, subresource: 'status' });
  const withUsed = (quota: JsonObject, pods: string): JsonObject => ({
    ...quota,
    status: { ...child(quota, 'status'), used: { pods } },
  });
  const update = async (quota: JsonObject, pods: string, options = server): Promise<JsonObject> => {
    return parsed((await quotas().update(scopeOf(nameOf(quota)), withUsed(quota, pods), options)).object);
  };
  const change = (quota: JsonObject, pods: string): Promise<JsonObject | undefined> =>
    quotas().changeOwnValues(
      scopeOf(nameOf(quota)),
      { old: quota, object: withUsed(quota, pods), paths: [path] },
      server,
    );

  /** A quota that one user made, and whose status a controller and the server wrote. */
  async function counted(name: string): Promise<JsonObject> {
    const spec = { hard: { pods: '10' } };
    const made = await quotas().create(fixture.scope(), { metadata: { name }, spec }, write);
    const hard = { ...parsed(made), status: { hard: { pods: '10' }, used: { pods: '0' } } };
    const controller = { ...write, fieldManager: 'controller' };
    const known = await quotas().update(scopeOf(name), hard, controller);
    return update(parsed(known.object), '1');
  }

  it('stores what an update stores, the time of the manager included', async () => {
    const [changed, updated] = [await counted('a'), await counted('a-too')];
    fixture.clock.time = laterTime;
    const [one, other] = [await change(changed, '2'), await update(updated, '2')];
    assert.ok(one);
    const comparable = (object: JsonObject): string => {
      const { uid: _, resourceVersion, ...metadata } = child(object, 'metadata');
      assert.equal(typeof resourceVersion, 'string');
      return JSON.stringify({ ...object, metadata }).replaceAll('a-too', 'a');
    };
    assert.equal(comparable(one), comparable(other));
    const text = comparable(one);
    assert.ok(text.includes(firstTime) && text.includes(laterTime));
    const read = await quotas().get(fixture.scope({ name: 'a' }), { kind: 'latest' });
    assert.deepEqual(parsed(read), one);
  });

  it('is left to an update if another manager owns the value', async () => {
    const quota = await update(await counted('a'), '5', { ...write, fieldManager: 'other' });
    const before = await fixture.revision();
    assert.equal(await change(quota, '6'), undefined);
    assert.equal(await fixture.revision(), before);
  });

  it('is left to an update if two managers own the value', async () => {
    const quota = await counted('a');
    const document = { apiVersion: 'v1', kind: 'ResourceQuota', status: { used: { pods: '1' } } };
    const applied = await quotas().patch(
      scopeOf('a'),
      { type: 'apply', document, duplicateFields: [] },
      { ...write, fieldManager: 'applier' },
    );
    assert.equal(await change(parsed(applied.object), '2'), undefined);
    assert.equal(child(child(quota, 'status'), 'used')['pods'], '1');
  });

  it('is refused after another write, and for an object that is gone', async () => {
    const quota = await counted('a');
    await update(quota, '2');
    assert.equal((await refusal(change(quota, '3'))).reason, 'Conflict');
    await quotas().delete(fixture.scope({ name: 'a' }), { dryRun: false });
    assert.equal((await refusal(change(quota, '3'))).reason, 'NotFound');
  });

  it('is seen by admission, and is left to an update if a plugin changes the object', async () => {
    const quota = await counted('a');
    admitted = [];
    const changed = await change(quota, '2');
    assert.deepEqual(admitted, ['UPDATE status a']);
    labelled = 'plugin';
    assert.ok(changed);
    assert.equal(await change(changed, '3'), undefined);
  });
});
