import assert from 'node:assert/strict';
import { kindSchema } from '../../../src/codec/kind-schema.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';

const identifiers = identifiersOf('kubernetes');
const kind = { group: 'admissionregistration.k8s.io', version: 'v1alpha1', kind: 'ValidatingAdmissionPolicy' };

it('a policy without variables has them as null in the release that added them, and not at all in others', () => {
  const shown = ['1.27', '1.28', '1.29', '1.36'].map((release) => {
    const schema = kindSchema(kind, identifiers, release);
    assert.ok(schema);
    const { spec } = decodeObject(schema, { spec: { failurePolicy: 'Fail' } }).value;
    return (spec as { readonly variables?: null }).variables;
  });
  assert.deepEqual(shown, [undefined, null, undefined, undefined]);
});
