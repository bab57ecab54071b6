import assert from 'node:assert/strict';
import { createCompiler } from '../../../../src/cel/compiler.ts';
import { ExpressionError } from '../../../../src/cel/values/expression.ts';
import type { JsonValue } from '../../../../src/meta/json-value.ts';

const claims = {
  sub: 'ann',
  exp: 100_000,
  nbf: 1_000,
  email: 'ann@example.com',
  email_verified: true,
  roles: 'x,y',
  groups: ['a', 'b'],
  nested: { list: [{ name: 'n' }] },
  'with space': null,
};
const { compile } = createCompiler();
const evaluate = (text: string): JsonValue => compile(text, ['claims']).evaluate({ claims });

const values: readonly (readonly [text: string, value: JsonValue])[] = [
  ['claims.sub', 'ann'],
  ['"u:" + claims.sub', 'u:ann'],
  ['claims.exp - claims.nbf <= 86400', false],
  ['has(claims.hd) ? claims.hd : "none"', 'none'],
  ['has(claims.email) && claims.email_verified', true],
  ['claims.groups.map(group, "p:" + group)', ['p:a', 'p:b']],
  ['claims.groups.filter(group, group != "a")', ['b']],
  ['claims.groups.all(group, !group.startsWith("system:"))', true],
  ['claims.groups.exists_one(group, group == "a")', true],
  ['claims.roles.split(",")', ['x', 'y']],
  ['claims.nested.list[0].name', 'n'],
  ['claims["with space"] == null', true],
  ['"a" in claims.groups', true],
  ['claims.sub.matches("^a[a-z]+$")', true],
  ['claims.sub.matches("(a+)+$")', false],
  ['claims.sub == "ann" || claims.missing == 1', true],
  ['{"a": [1, 2u, 2.5]}', { a: [1, 2, 2.5] }],
  ['type(claims.exp) == double', true],
  ['"%s has %d".format([claims.sub, size(claims.groups)])', 'ann has 2'],
];

const invalid: readonly (readonly [text: string, message: RegExp])[] = [
  ['1 +', /compilation failed/],
  ['', /compilation failed/],
  ['zork', /undeclared reference to 'zork'/],
  ['claims.groups.all(group, other == group)', /undeclared reference to 'other'/],
  ['group == "a" || claims.groups.all(group, true)', /undeclared reference to 'group'/],
  ['claims.sub.zork()', /undeclared reference to 'zork'/],
  [`${'('.repeat(2000)}1${')'.repeat(2000)}`, /recursion limit exceeded/],
  [`1${'+1'.repeat(2000)}`, /recursion limit exceeded/],
  ['x'.repeat(5000), /at most 4096 characters/],
];

const without: readonly string[] = ['claims.missing', 'claims.sub + 1', '1 / 0', 'claims.groups[9]', 'has(claims.a.b)'];

describe('expressions', () => {
  for (const [text, value] of values) it(`are evaluated: ${text}`, () => assert.deepEqual(evaluate(text), value));

  for (const [text, message] of invalid) {
    it(`are refused: ${text.slice(0, 50)}`, () =>
      assert.throws(
        () => compile(text, ['claims']),
        (error) => error instanceof ExpressionError && message.test(error.message),
      ));
  }

  for (const text of without) {
    it(`may have no value: ${text}`, () => assert.throws(() => evaluate(text), ExpressionError));
  }

  it('know which fields they read', () => {
    const { fields } = compile('claims.email != "" && claims.groups.all(claim, claim.name == claims.sub)', ['claims']);
    assert.deepEqual([...fields].toSorted(), ['claims.email', 'claims.groups', 'claims.sub']);
  });

  it('end after a limit of steps, also where an operator ignores errors', () => {
    const long = { claims: { list: Array.from({ length: 200 }, (_, index) => `${index}`) } };
    const nested = compile('claims.list.all(a, claims.list.all(b, a != "" && b != ""))', ['claims']);
    assert.throws(() => nested.evaluate(long), /too many steps/);
    assert.throws(() => nested.evaluate(long), /too many steps/, 'each evaluation has steps of its own');
    const ignored = compile('claims.list.exists(a, !claims.list.all(b, b != "")) || true', ['claims']);
    assert.throws(() => ignored.evaluate(long), /too many steps/);
    assert.equal(compile('claims.list.all(a, a != "")', ['claims']).evaluate(long), true);
  });

  it('match patterns in linear time', () => {
    const value = compile('claims.text.matches("(a+)+$")', ['claims']).evaluate({
      claims: { text: `${'a'.repeat(10_000)}!` },
    });
    assert.equal(value, false);
  });

  it('are the same object for the same text and variables', () => {
    assert.equal(compile('claims.sub', ['claims']), compile('claims.sub', ['claims']));
    assert.notEqual(compile('true', ['claims']), compile('true', ['user']));
  });
});
