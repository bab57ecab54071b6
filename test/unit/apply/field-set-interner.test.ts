import assert from 'node:assert/strict';
import { fieldSetOf } from '../../../src/apply/field-set.ts';
import { FieldsV1Error } from '../../../src/apply/fields-v1.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { internedFieldSet, internedFieldsV1 } from '../../../src/apply/field-set-interner.ts';

describe('Known field sets', () => {
  it('are the same ones for the same tree, and write the same tree', () => {
    const tree = () => ({ 'f:spec': { '.': {}, 'f:replicas': {} } });
    const set = internedFieldSet(tree());
    assert.equal(internedFieldSet(tree()), set);
    assert.equal(internedFieldsV1(set), internedFieldsV1(set));
    assert.deepEqual(internedFieldsV1(set), tree());
    assert.notEqual(internedFieldSet({ 'f:spec': { 'f:replicas': {} } }), set);
  });

  it('are refused again where they were refused before', () => {
    const trees: JsonValue[] = [{ nonsense: {} }, { nonsense: {} }, [], { 'f:a': { large: 2n ** 70n } }];
    for (const tree of trees) {
      assert.throws(() => internedFieldSet(tree), FieldsV1Error);
    }
  });

  it('stay right when more were met than are remembered', () => {
    const name = (i: number): string => `f:${String(i).padStart(2_000, 'x')}`;
    for (let i = 0; i < 1_200; i++) {
      assert.deepEqual(internedFieldSet({ [name(i % 700)]: {} }), fieldSetOf([[name(i % 700)]]));
    }
  });
});
