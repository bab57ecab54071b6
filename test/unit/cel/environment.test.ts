import assert from 'node:assert/strict';
import { type Environment, environmentOfNew, fullEnvironment } from '../../../src/cel/functions/environment.ts';
import { compileProgram } from '../../../src/cel/program.ts';

/** Expressions, the minor number of the first release whose new rules may be like them, and the error before it. */
const rows: readonly (readonly [text: string, first: number, error: string])[] = [
  ['1 < 2.5', 29, "no matching overload for '_<_' applied to '(int, double)'"],
  ['[1][?0].hasValue()', 29, "unsupported syntax '[?'"],
  ['{}.?a.hasValue()', 29, "unsupported syntax '.?'"],
  ['[?optional.of(1)] == [1]', 29, "unsupported syntax '?'"],
  ['optional.of(1).optMap(x, x).hasValue()', 29, "undeclared reference to 'optional'"],
  ['optional.of(1).optFlatMap(x, optional.of(x)).hasValue()', 29, "undeclared reference to 'optional'"],
  ['quantity("1").isInteger()', 29, "undeclared reference to 'quantity'"],
  ['"%d".format([1]) == "1"', 30, "undeclared reference to 'format'"],
  ['strings.quote("a") == "a"', 30, "undeclared reference to 'strings'"],
  ['sets.contains([1], [1])', 30, "undeclared reference to 'sets'"],
  ['isIP("1.2.3.4")', 31, "undeclared reference to 'isIP'"],
  ['isCIDR("1.2.3.4/8")', 31, "undeclared reference to 'isCIDR'"],
  ['format.dns1123Label().validate("a").hasValue()', 32, "undeclared reference to 'format'"],
  ['[1].all(i, x, i < x)', 33, "undeclared reference to 'i'"],
  ['[1].transformList(i, x, i + x) == [1]', 33, "undeclared reference to 'transformList'"],
  ['[1].existsOne(x, x == 1)', 33, "undeclared reference to 'existsOne'"],
  ['[1].first().hasValue()', 33, "undeclared reference to 'first'"],
  ['[optional.of(1)].unwrapOpt() == [1]', 33, "undeclared reference to 'unwrapOpt'"],
  ['semver("1.2.3").major() == 1', 34, "undeclared reference to 'semver'"],
  ['[2, 1].sort() == [1, 2]', 35, "undeclared reference to 'sort'"],
  ['[2, 1].sortBy(x, x) == [1, 2]', 35, "undeclared reference to 'sortBy'"],
  ['lists.range(2) == [0, 1]', 35, "undeclared reference to 'lists'"],
];

/** Expressions that no release of kube-apiserver allows in rules. */
const never: readonly string[] = [
  'cel.bind(x, 1, x == 1)',
  'jsonpatch.escapeKey("/") == "~1"',
  '{"a": {"b-c": 1}}.a.`b-c` == 1',
];

function errorIn(environment: Environment, text: string): string {
  try {
    compileProgram(text, { environment, variables: new Map() });
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('a new expression', () => {
  for (const [text, first, error] of rows) {
    it(`may have what the release before had: ${text} since 1.${first}`, () => {
      const before = errorIn(environmentOfNew(first - 1), text);
      assert.ok(before.includes(error), before);
      assert.equal(errorIn(environmentOfNew(first), text), '');
      assert.equal(errorIn(environmentOfNew(36), text), '');
    });
  }

  it('is checked for wrong constants since 1.30', () => {
    const text = '"a".matches("(")';
    assert.equal(errorIn(environmentOfNew(29), text), '');
    assert.match(errorIn(environmentOfNew(30), text), /invalid matches argument/);
  });

  it('has nothing that kube-apiserver does not have, unlike configuration', () => {
    for (const text of never) {
      assert.notEqual(errorIn(environmentOfNew(36), text), '', text);
      assert.equal(errorIn(fullEnvironment(), text), '', text);
    }
  });
});
