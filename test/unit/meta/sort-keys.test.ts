import assert from 'node:assert/strict';
import { sortKeys } from '../../../src/meta/sort-keys.ts';

describe('sortKeys', () => {
  it('copies a value with the keys at every depth in the order of their code units', () => {
    const value = JSON.parse('{"b":[{"z":1,"$patch":"x","Z":null},2],"a":{"__proto__":1,"A":"t"}}') as object;
    const text = '{"a":{"A":"t","__proto__":1},"b":[{"$patch":"x","Z":null,"z":1},2]}';
    // What JSON.parse returns is JSON.
    assert.equal(JSON.stringify(sortKeys(value as never)), text);
  });
});
