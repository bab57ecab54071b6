import assert from 'node:assert/strict';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { environmentOfNew } from '../../../src/cel/functions/environment.ts';
import { compileProgram, type Program } from '../../../src/cel/program.ts';
import { types } from '../../../src/cel/types/cel-type.ts';
import { Failure } from '../../../src/cel/values/cel-value.ts';
import { meterFor } from '../../../src/cel/values/work-meter.ts';

function compile(text: string): Program {
  return compileProgram(text, { environment: environmentOfNew(36), variables: new Map() });
}

/** Expressions, and the cost of running them in kube-apiserver 1.36. Constant literals cost nothing. */
const runs: readonly (readonly [text: string, cost: number])[] = [
  ['["a", "b"]', 0],
  ['{"a": [1, 2]}', 0],
  ['int(10.0) == 10', 1],
  ['3 in [1, 2, 3]', 0],
  ['[1].map(x, x in [1, 2])', 14],
  ['[1].map(x, x)', 14],
  ['[1].map(x, [x])', 24],
  ['[1, 2, 3].filter(x, x < 1)', 7],
  ['[1].map(x, true ? x : 0)', 13],
  ['[{"a": 1}].map(x, x.a)', 15],
  ['[{"a": 1}].map(x, true ? x.a : 0)', 14],
  ['[{"a": {"b": 1}}].map(x, x.a.b)', 16],
  ['["a", "b"][0]', 2],
  ['{"a": {"b": 1}}.a.b', 3],
  ['has({"a": 1}.a)', 1],
  ['optional.of(1).orValue(2)', 1],
  ['optional.none().orValue(2 + 3)', 2],
  ['"abcdefghijklmnopqrstuvwxyz".startsWith("a")', 3],
  ['"abcdefghijklmnopqrstuvwxyz".matches("a.c")', 3],
  ['"abcdefghijklmnopqrstuvwxyz" == "abc"', 1],
  ['"abcdefghijklmnopqrstuvwxyz".lowerAscii()', 3],
  ['["éééééééééé", "é"].indexOf("é")', 2],
  ['["ab", "cd"].join(", ")', 2],
  ['sets.contains([1, 2], [1])', 3],
  ['sets.equivalent([1, 2], [2, 1])', 9],
  ['[3, 1, 2].sort()', 29],
  ['["c", "a"].sort()', 19],
  ['[3, 1].sortBy(x, -x)', 50],
  ['[1, 1].distinct()', 19],
  ['[1, 2, 3].slice(1, 2)', 12],
  ['[[1], [2]].flatten()', 13],
  ['lists.range(5)', 16],
  ['[1, 2].transformMap(i, x, x)', 9],
  ['cidr("10.0.0.0/8").containsIP("10.1.2.3")', 3],
  ['cidr("2001:db8::/32").containsCIDR(cidr("2001:db8::/33"))', 7],
  ['ip.isCanonical("127.0.0.1")', 2],
  ['isURL("https://example.com/a/long/path/to/it")', 1],
  ['url("https://example.com").getHost()', 3],
  ['format.dns1123Label().validate("")', 9],
  ['format.dns1123Subdomain().validate("a.b")', 16],
  ['format.uri().validate("")', 277],
  ['format.date().validate("2020-01-01")', 37],
];

/** Expressions over literals, and their estimates. */
const estimates: readonly (readonly [text: string, min: number, max: number])[] = [
  ['["a", "b"]', 10, 10],
  ['sets.contains([1, 2], [1, 2, 3])', 27, 27],
  ['sets.equivalent([1], [2])', 23, 23],
  ['cidr("192.168.0.0/24").containsCIDR("192.168.0.0/25")', 7, 11],
  ['cidr("192.168.0.0/24").containsIP(ip("192.168.0.1"))', 5, 8],
  ['ip("192.168.0.1").isLoopback()', 3, 3],
  ['ip.isCanonical("127.0.0.1")', 2, 2],
  ['quantity("12345678901")', 2, 2],
  ['semver("1234.56789.12345")', 2, 2],
  ['strings.quote("abc") == "abc"', 2, 2],
  ['format.date().validate("2020-01-01")', 33, 33],
  ['[1, 2, 3].slice(1, 3)', 23, 23],
  ['lists.range(5)', 16, 16],
  ['[1, 2].reverse()', 23, 23],
  ['[[1], [2]].flatten(3)', 47, 47],
  ['[1, 2].distinct()', 29, 29],
  ['[1, 2].sort()', 29, 29],
];

describe('the cost of an expression in a run', () => {
  for (const [text, cost] of runs) {
    it(`is that of kube-apiserver: ${text}`, () => {
      const outcome = compile(text).run([], 1_000_000, meterFor(1_000_000));
      assert.ok(!(outcome.value instanceof Failure));
      assert.equal(outcome.cost, cost);
    });
  }
});

describe('the estimated cost of an expression', () => {
  for (const [text, min, max] of estimates) {
    it(`is that of kube-apiserver: ${text}`, () => {
      assert.deepEqual(estimateCost(compile(text).checked, types.dyn), { min, max });
    });
  }
});
