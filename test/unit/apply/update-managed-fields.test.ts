import assert from 'node:assert/strict';
import { fieldSetOf, noFields } from '../../../src/apply/field-set.ts';
import { encodeManagers } from '../../../src/apply/managed-fields.ts';
import { compareChange, updateManagedFields } from '../../../src/apply/update-managed-fields.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

const secret = schemaOf('api.core.v1.Secret');

interface Write extends Partial<Omit<Parameters<typeof updateManagedFields>[0], 'inVersion'>> {
  readonly live?: JsonObject;
  readonly next: JsonObject;
}

function update({ live, next, reset = noFields, ...operation }: Write): JsonObject[] {
  const managers = updateManagedFields({
    manager: 'me',
    subresource: '',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    reset,
    sent: undefined,
    stored: undefined,
    isNew: live === undefined,
    inVersion: (apiVersion) =>
      apiVersion === 'v1'
        ? compareChange({ schema: secret, live: live ? read(live) : {}, next: read(next) }, reset)
        : undefined,
    ...operation,
  });
  return encodeManagers(managers);
}

function read(value: JsonObject): JsonObject {
  return decodeObject(secret, value).value;
}

function entry(manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2025-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  };
}

const meta = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '2025-01-01T00:00:00Z' };

describe('managed fields of updates', () => {
  it('give a new object to its creator, without what belongs to the server', () => {
    const next = {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { ...meta, labels: { x: '1' } },
      data: { p: 'AAAA', u: 'AAAA' },
      type: 'Opaque',
    };
    const fields = {
      'f:data': { '.': {}, 'f:p': {}, 'f:u': {} },
      'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
      'f:type': {},
    };
    assert.deepEqual(update({ next }), [entry('me', fields, { time: '2026-01-01T00:00:00Z' })]);
  });

  it('take the keys of an entry in the order of the protocol', () => {
    const [only] = update({ next: { metadata: meta, type: 'Opaque' }, subresource: 'status' });
    assert.deepEqual(Object.keys(only ?? {}), [
      'manager',
      'operation',
      'apiVersion',
      'time',
      'fieldsType',
      'fieldsV1',
      'subresource',
    ]);
  });

  it('move what is changed to the last writer', () => {
    const stored = [entry('first', { 'f:data': { '.': {}, 'f:p': {}, 'f:u': {} } })];
    const live = { metadata: meta, data: { p: 'AAAA', u: 'AAAA' } };
    const next = { metadata: meta, data: { p: 'AAAB', u: 'AAAA', v: 'AAAA' } };
    assert.deepEqual(update({ live, next, stored }), [
      entry('first', { 'f:data': { '.': {}, 'f:u': {} } }),
      entry('me', { 'f:data': { 'f:p': {}, 'f:v': {} } }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('drop managers that have nothing left', () => {
    const stored = [entry('first', { 'f:data': { 'f:p': {} } })];
    const live = { metadata: meta, data: { p: 'AAAA' } };
    assert.deepEqual(update({ live, next: { metadata: meta, data: { q: 'AAAA' } }, stored }), [
      entry('me', { 'f:data': { 'f:q': {} } }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('take removed fields from everybody', () => {
    const stored = [entry('first', { 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } }, 'f:type': {} })];
    const live = { metadata: { ...meta, labels: { x: '1' } }, type: 'Opaque' };
    assert.deepEqual(update({ live, next: { metadata: meta, type: 'Opaque' }, stored }), [
      entry('first', { 'f:type': {} }),
    ]);
  });

  it('keep the time of a writer who changes nothing', () => {
    const stored = [entry('me', { 'f:type': {} })];
    const object = { metadata: meta, type: 'Opaque' };
    assert.deepEqual(update({ live: object, next: object, stored }), stored);
  });

  it('move the time of a writer who changes what it owns already', () => {
    const stored = [entry('me', { 'f:data': { 'f:p': {} } })];
    const live = { metadata: meta, data: { p: 'AAAA' } };
    assert.deepEqual(update({ live, next: { metadata: meta, data: { p: 'AAAB' } }, stored }), [
      entry('me', { 'f:data': { 'f:p': {} } }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('keep the time of a writer who only removes', () => {
    const stored = [entry('me', { 'f:data': { '.': {}, 'f:p': {}, 'f:q': {} } })];
    const live = { metadata: meta, data: { p: 'AAAA', q: 'AAAA' } };
    assert.deepEqual(update({ live, next: { metadata: meta, data: { p: 'AAAA' } }, stored }), [
      entry('me', { 'f:data': { '.': {}, 'f:p': {} } }),
    ]);
  });

  it('keep what is sent with a new object of fields that it does not have', () => {
    const sent = [entry('other', { 'f:data': { 'f:p': {} }, 'f:type': {} }, { operation: 'Apply' })];
    assert.deepEqual(update({ next: { metadata: meta, type: 'Opaque' }, sent }), [
      entry('other', { 'f:data': { 'f:p': {} } }, { operation: 'Apply' }),
      entry('me', { 'f:type': {} }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('leave an applier its entry beside the updater of the same name', () => {
    const stored = [entry('me', { 'f:type': {} }, { operation: 'Apply' })];
    const live = { metadata: meta, type: 'Opaque' };
    const result = update({ live, next: { metadata: meta, type: 'Opaque', data: { p: 'AAAA' } }, stored });
    assert.deepEqual(
      result.map(({ operation }) => operation),
      ['Apply', 'Update'],
    );
  });

  it('leave out what the write may not set', () => {
    const next = { metadata: meta, data: { p: 'AAAA' }, type: 'Opaque' };
    assert.deepEqual(update({ next, reset: fieldSetOf([['f:data']]) }), [
      entry('me', { 'f:type': {} }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('are gone after a list of one empty entry', () => {
    const object = { metadata: meta, type: 'Opaque' };
    assert.deepEqual(
      update({ live: object, next: object, stored: [entry('first', { 'f:type': {} })], sent: [{}] }),
      [],
    );
  });

  it('start afresh with what else changes together with a list of one empty entry', () => {
    const stored = [entry('first', { 'f:type': {}, 'f:data': { '.': {}, 'f:p': {} } })];
    const live = { metadata: meta, type: 'Opaque', data: { p: 'AAAA' } };
    const next = { metadata: meta, type: 'Opaque', data: { p: 'AAAB' } };
    assert.deepEqual(update({ live, next, stored, sent: [{}] }), [
      entry('me', { 'f:data': { 'f:p': {} } }, { time: '2026-01-01T00:00:00Z' }),
    ]);
  });

  it('stay away from an object that has lost them', () => {
    const live = { metadata: meta, type: 'a' };
    assert.deepEqual(update({ live, next: { metadata: meta, type: 'b' } }), []);
  });

  it('give the whole of what has become atomic to who owned a part', () => {
    const secretRef = 'f:immutable';
    const stored = [entry('first', { [secretRef]: { 'f:old': {} } })];
    const live = { metadata: meta, immutable: true };
    const next = { metadata: meta, immutable: true, type: 'b' };
    assert.deepEqual(update({ live, next, stored })[0], entry('first', { [secretRef]: {} }));
  });

  it('do not take a list from a sub-resource', () => {
    const stored = [entry('first', { 'f:type': {} })];
    const object = { metadata: meta, type: 'Opaque' };
    assert.deepEqual(update({ live: object, next: object, stored, sent: [{}], subresource: 'status' }), stored);
  });

  const garbage: readonly JsonValue[] = [
    'x',
    {},
    [1],
    [{ manager: 'm' }],
    [{ manager: 'm', operation: 'Nonsense' }],
    [{ manager: 'm', operation: 'Update', fieldsV1: { 'f:type': {} } }],
    [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV9' }],
    [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'k:{': {} } }],
    [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': 1 } }],
  ];
  for (const sent of garbage) {
    it(`keep what is stored when a client sends ${JSON.stringify(sent)}`, () => {
      const stored = [entry('first', { 'f:type': {} })];
      const object = { metadata: meta, type: 'Opaque' };
      assert.deepEqual(update({ live: object, next: object, stored, sent }), stored);
    });
  }

  it('keep the last of those that a client sends twice', () => {
    const object = { metadata: meta, type: 'Opaque', data: { a: 'AAAA' } };
    const sent = [entry('x', { 'f:type': {} }), entry('y', { 'f:type': {} }), entry('x', { 'f:data': { 'f:a': {} } })];
    const managers = update({ live: object, next: object, stored: [], sent });
    assert.deepEqual(
      managers.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
      [
        ['x', { 'f:data': { 'f:a': {} } }],
        ['y', { 'f:type': {} }],
      ],
    );
  });

  it('leave out the name that a manager does not have', () => {
    const object = { metadata: meta, type: 'Opaque' };
    const { manager: _, ...nameless } = entry('', { 'f:type': {} });
    assert.deepEqual(update({ live: object, next: object, sent: [nameless] }), [nameless]);
  });

  it('merge the oldest updaters beyond ten', () => {
    const stored = Array.from({ length: 12 }, (_, index) =>
      entry(`m${index}`, { 'f:data': { [`f:k${index}`]: {} } }, { time: `2025-01-${10 + index}T00:00:00Z` }),
    );
    const data = Object.fromEntries(stored.map((_, index) => [`k${index}`, 'AAAA']));
    const live = { metadata: meta, data };
    const managers = update({ live, next: { ...live, type: 'x' }, stored });
    assert.equal(managers.length, 10);
    assert.deepEqual(
      managers.map(({ manager }) => manager),
      ['ancient-changes', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11', 'me'],
    );
  });

  it('forget the managers of versions that are not served', () => {
    const other = entry('first', { 'f:type': {} }, { apiVersion: 'v0' });
    const live = { metadata: meta, type: 'a' };
    const result = update({ live, next: { metadata: meta, type: 'b' }, stored: [other] });
    assert.deepEqual(
      result.map(({ manager }) => manager),
      ['me'],
    );
  });
});
