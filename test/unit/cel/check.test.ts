import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { fullEnvironment } from '../../../src/cel/functions/environment.ts';
import { compileProgram, type Program } from '../../../src/cel/program.ts';
import { type CelType, formatType, listOf, mapOf, types } from '../../../src/cel/types/cel-type.ts';
import { assign, attempt, makeBindings, resolveType } from '../../../src/cel/types/unify.ts';

const self: CelType = {
  kind: 'object',
  name: 'self',
  fields: new Map<string, { name: string; type: CelType }>([
    ['count', { name: 'count', type: types.int }],
    ['text', { name: 'text', type: { ...types.string, max: 40 } }],
    ['texts', { name: 'texts', type: { kind: 'list', element: { ...types.string, max: 20 }, max: 10 } }],
    ['any', { name: 'any', type: { ...types.dyn, max: 100 } }],
    ['maybe', { name: 'maybe', type: { kind: 'optional', value: types.int } }],
  ]),
};

function compile(text: string): Program {
  return compileProgram(text, { environment: fullEnvironment(), variables: new Map([['self', self]]) });
}

/** Expressions, and the types of their values. */
const typed: readonly (readonly [text: string, type: string])[] = [
  ['self.count + 1', 'int'],
  ['self.texts.map(t, size(t))', 'list(int)'],
  ['self.any + 1', 'int'],
  ['self.any + self.any', 'dyn'],
  ['self.maybe.orValue(1)', 'int'],
  ['self.?text', 'optional_type(string)'],
  ['{"a": [self.count]}', 'map(string, list(int))'],
  ['self.texts.transformMap(i, t, t)', 'map(int, string)'],
  ['[].filter(x, x == self)', 'list(self)'],
  ['self.texts[0].split(",")', 'list(string)'],
  ['true ? self.any : self.count', 'dyn'],
];

/** Expressions, and what is wrong with them. */
const wrong: readonly (readonly [text: string, problem: string])[] = [
  ['self.zork', "ERROR: <input>:1:5: undefined field 'zork'"],
  ['self.text + 1', "ERROR: <input>:1:11: found no matching overload for '_+_' applied to '(string, int)'"],
  ['self.text.size(1)', "found no matching overload for 'size' applied to 'string.(int)'"],
  ['self.count.a', "type 'int' does not support field selection"],
  ['url("a").b', "unexpected failed resolution of 'kubernetes.URL'"],
  ['ip("::1").b', "type 'net.IP' does not support field selection"],
  ['[1, "a"]', "expected type 'int' but found 'string'"],
  ['self.count && true', "expected type 'bool' but found 'int'"],
  ['zork(1)', "undeclared reference to 'zork' (in container '')"],
  ['self.text.matches("(")', 'invalid matches argument'],
  ['duration("1 hour") == duration("1h")', 'invalid duration argument'],
  ['self.texts.all(t, t.size() > 0', "Syntax error: missing ')' at '<EOF>'"],
  ['has(self)', 'invalid argument to has() macro'],
  ['1 == 1 |', "token recognition error at: '|'"],
];

/** Expressions, and what they cost at most. */
const costs: readonly (readonly [text: string, most: number])[] = [
  ['self.count > 1', 3],
  ['self.text == "abc"', 3],
  ['self.text.startsWith("abc")', 3],
  ['self.texts.all(t, t.size() > 0)', 63],
  ['self.texts.exists(t, self.texts.exists(u, t == u))', 873],
  ['self.text.matches("^[a-z]+$")', 12],
];

describe('the types of expressions', () => {
  for (const [text, type] of typed) {
    it(`are found: ${text}`, () => assert.equal(formatType(compile(text).type), type));
  }
  for (const [text, problem] of wrong) {
    it(`are refused: ${text}`, () => {
      assert.throws(
        () => compile(text),
        (error: Error) => error.message.includes(problem) || assert.fail(error.message),
      );
    });
  }
});

describe('the cost of an expression', () => {
  for (const [text, most] of costs) {
    it(`is estimated: ${text}`, () => assert.equal(estimateCost(compile(text).checked, self).max, most));
  }
});

/** Types without variables. */
const anyType: fc.Arbitrary<CelType> = fc.letrec<{ type: CelType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<CelType>(types.int, types.string, types.bool, types.bytes),
    tie('type').map(listOf),
    fc.tuple(fc.constantFrom<CelType>(types.int, types.string), tie('type')).map(([key, value]) => mapOf(key, value)),
  ),
})).type;

describe('the assignment of types', () => {
  it('gives a variable the type of its value', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        const bindings = makeBindings();
        const variable: CelType = { kind: 'variable', name: 'A' };
        assert.ok(assign(bindings, listOf(variable), listOf(type)));
        assert.deepEqual(resolveType(bindings, variable), type);
      }),
    );
  });

  it('allows a type itself and dyn, and no other type', () => {
    fc.assert(
      fc.property(anyType, anyType, (left, right) => {
        assert.ok(assign(makeBindings(), left, left));
        assert.ok(assign(makeBindings(), left, types.dyn) && assign(makeBindings(), types.dyn, left));
        assert.equal(assign(makeBindings(), left, right), formatType(left) === formatType(right));
      }),
    );
  });

  it('leaves nothing behind when it fails', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        const bindings = makeBindings();
        const variable: CelType = { kind: 'variable', name: 'A' };
        const isDone = attempt(
          bindings,
          () => assign(bindings, variable, type) && assign(bindings, types.int, types.string),
        );
        assert.ok(!isDone && bindings.types.size === 0 && bindings.bound.length === 0);
      }),
    );
  });
});

describe('a long expression', () => {
  it('is refused', () => {
    const text = Array.from({ length: 5000 }, () => 'true').join(' && ');
    assert.throws(() => compile(text), /expression code point size exceeds limit: size: 39996, limit 20000/);
    assert.equal(compile(text.slice(0, 19_996)).type.kind, 'bool');
  });
});
