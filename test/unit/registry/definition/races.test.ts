import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../../src/admission/admission.ts';
import { metaText, setMeta } from '../../../../src/meta/object-meta.ts';
import type { PatchRequest } from '../../../../src/registry/definition/registry.ts';
import { StatusError } from '../../../../src/status/status-error.ts';
import { child, type Fixture, parsed, refusal, remove, startFixture, write } from '../fixture.ts';

describe('registry under races', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = startFixture();
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');

  it('lets one of many creators win', async () => {
    const racers = Array.from({ length: 20 }, () => maps().create(fixture.scope(), { metadata: { name: 'a' } }, write));
    const outcomes = await Promise.allSettled(racers);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    assert.equal(won.length, 1);
    const read = parsed(await maps().get(fixture.scope({ name: 'a' }), { kind: 'latest' }));
    assert.deepEqual(won[0]?.status === 'fulfilled' && parsed(won[0].value), read);
  });

  it('loses no update of writers who try again', async () => {
    await maps().create(fixture.scope(), { metadata: { name: 'a' }, data: { n: '0' } }, write);
    const scope = fixture.scope({ name: 'a' });
    const increment = async (): Promise<void> => {
      const object = parsed(await maps().get(scope, { kind: 'latest' }));
      const data = { n: String(Number(child(object, 'data')['n']) + 1) };
      try {
        await maps().update(scope, { ...object, data }, write);
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'Conflict') throw error;
        await increment();
      }
    };
    const client = async (): Promise<void> => {
      for (let count = 0; count < 10; count++) await increment();
    };
    await Promise.all(Array.from({ length: 5 }, client));
    const object = parsed(await maps().get(scope, { kind: 'latest' }));
    assert.equal(child(object, 'data')['n'], '50');
  });

  it('lets a crowd of patches of one object through', async () => {
    await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write);
    const scope = fixture.scope({ name: 'a' });
    const names = Array.from({ length: 50 }, (_, index) => `k${index}`);
    await Promise.all(
      names.map(async (name) => {
        const patch: PatchRequest = { type: 'merge', document: { data: { [name]: '' } }, duplicateFields: [] };
        await maps().patch(scope, patch, write);
      }),
    );
    const object = parsed(await maps().get(scope, { kind: 'latest' }));
    assert.deepEqual(Object.keys(child(object, 'data')).toSorted(), names.toSorted());
  });

  it('lets a crowd of unconditional updates through', async () => {
    await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write);
    const scope = fixture.scope({ name: 'a' });
    const before = await fixture.revision();
    const updates = Array.from({ length: 150 }, (_, index) =>
      maps().update(scope, { metadata: { name: 'a' }, data: { n: `${index}` } }, write),
    );
    await Promise.all(updates);
    assert.equal(await fixture.revision(), before + updates.length);
  });

  it('never removes the successor of the object that a delete names by uid', async () => {
    const scope = fixture.scope({ name: 'a' });
    const create = async () => parsed(await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write));
    for (let round = 0; round < 20; round++) {
      const uid = metaText(await create(), 'uid');
      const named = { ...remove, preconditions: { uid } };
      const replaced = maps().delete(scope, remove).then(create);
      const outcomes = await Promise.allSettled([maps().delete(scope, named), replaced]);
      if (outcomes[1].status === 'fulfilled') {
        const now = parsed(await maps().get(scope, { kind: 'latest' }));
        assert.equal(metaText(now, 'uid'), metaText(outcomes[1].value, 'uid'));
        await maps().delete(scope, remove);
      } else await create().then(() => maps().delete(scope, remove));
    }
  });
});

describe('admission of writes', () => {
  const seen: AdmissionAttributes[] = [];
  const label: AdmissionPlugin = {
    name: 'Label',
    operations: ['CREATE', 'UPDATE'],
    mutate: ({ object }) => object && setMeta(object, 'labels', { admitted: 'yes' }),
  };
  const record: AdmissionPlugin = {
    name: 'Record',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    validate: (attributes) => {
      seen.push(structuredCloneOf(attributes));
      if (attributes.object && metaText(attributes.object, 'name') === 'refused')
        throw new StatusError('Forbidden', 'no');
    },
  };
  let fixture: Fixture;
  beforeEach(() => {
    seen.length = 0;
    fixture = startFixture({ plugins: [record, label] });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');

  it('shows validators what mutators made of the object', async () => {
    const response = parsed(await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write));
    assert.deepEqual(child(response, 'metadata')['labels'], { admitted: 'yes' });
    assert.deepEqual(seen[0]?.object?.['metadata'] && child(seen[0].object, 'metadata')['labels'], { admitted: 'yes' });
    assert.deepEqual([seen[0]?.operation, seen[0]?.oldObject], ['CREATE', undefined]);
  });

  it('stores nothing that a validator refuses', async () => {
    const before = await fixture.revision();
    const error = await refusal(maps().create(fixture.scope(), { metadata: { name: 'refused' } }, write));
    assert.equal(error.code, 403);
    assert.equal(await fixture.revision(), before);
  });

  it('runs for every verb that writes, with the object that is replaced', async () => {
    const scope = fixture.scope({ name: 'a' });
    await maps().create(fixture.scope(), { metadata: { name: 'a' } }, write);
    await maps().update(scope, { metadata: { name: 'a' }, data: { a: '1' } }, write);
    const patch: PatchRequest = { type: 'merge', document: { data: { a: '2' } }, duplicateFields: [] };
    await maps().patch(scope, patch, write);
    await maps().delete(scope, remove);
    assert.deepEqual([...new Set(seen.map(({ operation }) => operation))], ['CREATE', 'UPDATE', 'DELETE']);
    const updates = seen.filter(({ operation }) => operation === 'UPDATE');
    assert.deepEqual(
      updates.map(({ object, oldObject }) => [oldObject?.['data'], object?.['data']]),
      [
        [undefined, { a: '1' }],
        [{ a: '1' }, { a: '2' }],
      ],
    );
  });
});

/** A copy of what a plugin saw, before anybody changes it. */
function structuredCloneOf(attributes: AdmissionAttributes): AdmissionAttributes {
  const { object, oldObject } = attributes;
  return { ...attributes, object: structuredClone(object), oldObject: structuredClone(oldObject) };
}
