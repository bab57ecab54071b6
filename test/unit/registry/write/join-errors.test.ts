import assert from 'node:assert/strict';
import { joinErrors } from '../../../../src/registry/write/join-errors.ts';
import { noErrors } from '../../../../src/status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../../src/status/field-error.ts';
import { cpuMsOf } from '../../cpu-time.ts';

const none = { metadata: noErrors, schema: noErrors, rules: noErrors, laterRules: noErrors };
const missing = (...fields: readonly string[]) => fields.map((field) => required(field));
const shown = (errors: readonly FieldError[]) => errors.map(({ field, reason }) => `${field} ${reason.slice(10)}`);

describe('the errors of a write', () => {
  it('are those of the metadata, of the schema and of the rules, in this order', () => {
    const joined = joinErrors({
      metadata: missing('metadata.name'),
      schema: missing('spec.b', 'spec.a'),
      rules: [invalid('spec', '', 'too little')],
      laterRules: [invalid('spec.b', '', 'field is immutable')],
    });
    assert.deepEqual(shown(joined), [
      'metadata.name Required',
      'spec.b Required',
      'spec.a Required',
      'spec Invalid',
      'spec.b Invalid',
    ]);
  });

  it('are the errors of the rules for a field that both refuse', () => {
    const rules = [invalid('spec.type', 'x', 'a'), invalid('spec.type', 'x', 'b')];
    assert.deepEqual(joinErrors({ ...none, schema: missing('spec.type'), rules }), rules);
  });

  it('are none of the schema inside a part that a rule forbids', () => {
    const schema = missing('spec.volumes[0].nfs.path', 'spec.volumes[0].nfsServer', 'spec.volumes[1].nfs.path');
    const rules = [forbidden('spec.volumes[0].nfs', 'two sources'), invalid('spec.volumes[1].nfs', '', 'a')];
    assert.deepEqual(shown(joinErrors({ ...none, schema, rules })), [
      'spec.volumes[0].nfsServer Required',
      'spec.volumes[1].nfs.path Required',
      'spec.volumes[0].nfs Forbidden',
      'spec.volumes[1].nfs Invalid',
    ]);
  });

  it('are joined in time that does not grow with the length of a key', async () => {
    const key = '.'.repeat(2_000_000);
    const cpuMs = await cpuMsOf(() => {
      const schema = missing(`data[${key}]`, `data[${key}].x`);
      joinErrors({ ...none, schema, rules: [forbidden('spec.nfs', 'two sources')] });
    });
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`);
  });
});
