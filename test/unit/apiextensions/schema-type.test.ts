import assert from 'node:assert/strict';
import { schemaTypeOf } from '../../../src/apiextensions/expression-rules/schema-type.ts';
import { compileStructuralSchema } from '../../../src/scheme/model/structural-schema.ts';

describe('the type of a text in expressions', () => {
  for (const [format, kind] of [
    ['byte', 'bytes'],
    ['other', 'string'],
    ['constructor', 'string'],
  ]) {
    it(`with the format ${format} is ${kind}`, () => {
      const schema = compileStructuralSchema({ type: 'string', format: format ?? '' });
      assert.equal(schemaTypeOf(schema, 'x')?.type.kind, kind);
    });
  }
});
