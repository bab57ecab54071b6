import assert from 'node:assert/strict';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

describe('bytes in JSON', () => {
  const secrets = schemaOf('api.core.v1.Secret');

  // Observed of kube-apiserver 1.36.2.
  for (const [text, index] of [
    ['x', 0],
    ['YWJjZA', 4],
    ['YW?j', 2],
    ['Y===', 1],
    ['YWJj=', 4],
    ['YWI=YWI=', 4],
    ['YQ=', 3],
    ['YQ=x', 2],
    ['YQ==YQ==', 4],
  ] as const) {
    it(`that are not base64 are refused at the index that kube-apiserver names: ${text}`, () => {
      const message = new RegExp(`illegal base64 data at input byte ${index} in`);
      assert.throws(() => decodeObject(secrets, { data: { key: text } }), message);
    });
  }
});
