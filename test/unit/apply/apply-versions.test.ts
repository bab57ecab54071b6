import assert from 'node:assert/strict';
import type { ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import { story, type Story } from './story.ts';

describe('applying in several versions', () => {
  const text: Schema = { type: 'string' };
  const struct = (parts: Readonly<Record<string, Schema>>): ObjectSchema => ({
    type: 'object',
    name: '',
    atomic: false,
    preserveUnknown: false,
    fields: new Map(
      Object.entries(parts).map(([name, schema], index) => [
        name,
        { name, number: index + 1, inlinePath: [], schema, required: false, alwaysPresent: false, explicit: false },
      ]),
    ),
  });
  const renamed = (from: string, to: string) => (object: object) => {
    const { spec } = object as { spec?: Record<string, string> | null };
    const { [from]: value, ...rest } = spec ?? {};
    return { spec: value === undefined ? rest : { ...rest, [to]: value } };
  };
  const renaming = (): Story =>
    story({
      v1: { schema: struct({ spec: struct({ old: text, other: text }) }) },
      v2: {
        schema: struct({ spec: struct({ new: text, other: text }) }),
        fromStored: renamed('old', 'new'),
        toStored: renamed('new', 'old'),
      },
    });

  it('finds a conflict in the version of who owns the field', () => {
    const s = renaming();
    s.apply('alice', 'spec: {old: a}');
    assert.match(s.conflict('bob', 'spec: {new: b}', { version: 'v2' }), /conflict with "alice": \.spec\.old$/);
  });

  it('moves an applier to the version that it applies in, and removes what it left out', () => {
    const s = renaming();
    s.apply('alice', 'spec: {old: a, other: o}');
    s.apply('alice', 'spec: {new: a}', { version: 'v2' });
    assert.deepEqual(s.object, { spec: { old: 'a' } });
    assert.deepEqual(s.owners, { 'alice (v2)': ['.spec.new'] });
    s.apply('alice', 'spec: {other: p}', { version: 'v2' });
    assert.deepEqual(s.object, { spec: { other: 'p' } });
  });

  it('keeps what another owns in another version', () => {
    const s = renaming();
    s.apply('alice', 'spec: {new: a}', { version: 'v2' });
    s.apply('bob', 'spec: {old: a, other: o}');
    s.apply('bob', 'spec: {}');
    assert.deepEqual(s.object, { spec: { old: 'a' } });
    s.apply('alice', 'spec: {}', { version: 'v2' });
    assert.deepEqual(s.object, { spec: {} });
  });

  it('forgets who wrote in a version that is gone, and leaves what they wrote', () => {
    const s = renaming();
    s.apply('alice', 'spec: {new: a}', { version: 'v2' });
    s.update('upd', 'spec: {new: a, other: o}', { version: 'v2' });
    s.withdraw('v2');
    s.apply('bob', 'spec: {old: b}');
    assert.deepEqual(s.object, { spec: { old: 'b', other: 'o' } });
    assert.deepEqual(s.owners, { bob: ['.spec.old'] });
  });

  it('takes nothing away from an applier whose version is gone', () => {
    const s = renaming();
    s.apply('alice', 'spec: {new: a, other: o}', { version: 'v2' });
    s.withdraw('v2');
    s.apply('alice', 'spec: {old: a}');
    assert.deepEqual(s.object, { spec: { old: 'a', other: 'o' } });
    assert.deepEqual(s.owners, { alice: ['.spec.old'] });
  });
});
