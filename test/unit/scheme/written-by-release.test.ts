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

it('the result of a claim says nothing of administrative access as null in the releases that had it so', () => {
  const claim = { group: 'resource.k8s.io', version: 'v1beta1', kind: 'ResourceClaim' };
  const results = [{ request: 'r', driver: 'd', pool: 'p', device: 'x' }];
  const shown = ['1.32', '1.33', '1.34'].map((release) => {
    const schema = kindSchema(claim, identifiers, release);
    assert.ok(schema);
    const text = JSON.stringify(decodeObject(schema, { status: { allocation: { devices: { results } } } }).value);
    return text.includes('"adminAccess":null');
  });
  assert.deepEqual(shown, [true, true, false]);
});
