import assert from 'node:assert/strict';
import { objectFields } from '../../../src/admission/policies/mutating/object-fields.ts';
import { CelObject, listFrom, Uint } from '../../../src/cel/values/cel-value.ts';
import { meterFor } from '../../../src/cel/values/work-meter.ts';
import { types } from '../../../src/cel/types/cel-type.ts';

describe('an object that an expression makes', () => {
  it('has complete JSON, and reports a limited number of values that are not JSON', () => {
    const items = listFrom(Array.from({ length: 10_000 }, (_, index) => new Uint(BigInt(index))));
    const object = new CelObject(
      types.dyn,
      () => items,
      () => ['args'],
    );
    const { fields, nonJson } = objectFields(object, meterFor(1_000_000));
    assert.equal((fields['args'] as unknown[]).length, 10_000);
    assert.equal(nonJson.length, 100);
    assert.deepEqual(nonJson[7]?.path, ['args', 7]);
  });
});
