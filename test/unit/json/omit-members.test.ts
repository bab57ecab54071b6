import assert from 'node:assert/strict';
import { omitMembers } from '../../../src/json/omit-members.ts';

/** A document, what is left of it without `a` and `b`, and the values that were taken out. */
const cases: readonly (readonly [title: string, json: string, rest: string, omitted: readonly string[]])[] = [
  ['nothing', '{"c":1}', '{"c":1}', []],
  ['objects', '{"a":{"x":{"y":[1]}},"c":1}', '{"a":null,"c":1}', ['{"x":{"y":[1]}}']],
  ['lists', '{"c":[{"b":[1,{"d":2}]},{"b":[]}]}', '{"c":[{"b":null},{"b":null}]}', ['[1,{"d":2}]', '[]']],
  ['values without an end of their own', '{"a":1,"b":true}', '{"a":null,"b":null}', ['1', 'true']],
  ['members of what is taken out', '{"a":{"b":1,"a":2},"c":3}', '{"a":null,"c":3}', ['{"b":1,"a":2}']],
  ['braces in strings', '{"a":{"x":"}\\"}{"},"c":"]"}', '{"a":null,"c":"]"}', ['{"x":"}\\"}{"}']],
  ['strings', '{"b":"x\\"","a":"y"}', '{"b":null,"a":null}', ['"x\\""', '"y"']],
  ['no texts that look like members', '{"c":"\\"a\\":{}"}', '{"c":"\\"a\\":{}"}', []],
  ['longer names', '{"aa":1,"f:a":2}', '{"aa":1,"f:a":2}', []],
];

describe('omitMembers', () => {
  for (const [title, json, rest, omitted] of cases) {
    it(`takes out ${title}`, () => {
      const found = omitMembers(Buffer.from(json), ['a', 'b']);
      assert.equal(found.rest.toString(), rest);
      assert.deepEqual(
        found.omitted.map(({ value }) => value.toString()),
        omitted,
      );
    });
  }
});
