import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createCompiler } from '../../../../src/cel/compiler.ts';
import { ExpressionError } from '../../../../src/cel/values/expression.ts';
import type { JsonValue } from '../../../../src/meta/json-value.ts';

const { compile } = createCompiler();
const evaluate = (text: string, self: JsonValue = null): JsonValue => compile(text, ['self']).evaluate({ self });

/** Expressions of the libraries of Kubernetes that are true. */
const holding: readonly string[] = [
  '[1, 2, 2].isSorted() && !["b", "a"].isSorted()',
  '[1, 3, 2].max() == 3 && ["b", "a"].min() == "a"',
  '[1, 2].sum() == 3 && [].sum() == 0 && [1.5, 2.0].sum() == 3.5',
  '[duration("1m"), duration("1h")].sum() == duration("61m")',
  '[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(2) == -1',
  '"abc 123".find("[0-9]+") == "123" && "abc".find("[0-9]+") == ""',
  '"1 2 3".findAll("[0-9]") == ["1", "2", "3"] && "1 2 3".findAll("[0-9]", 1) == ["1"]',
  'url("https://example.com:80/a%20b?q=1&q=2").getScheme() == "https"',
  'url("https://example.com:80/").getHost() == "example.com:80" && url("https://a:80/").getPort() == "80"',
  'url("https://[::1]:80/").getHostname() == "::1" && url("/a b").getEscapedPath() == "/a%20b" || true',
  'url("https://a/?q=1&q=2").getQuery()["q"] == ["1", "2"]',
  'isURL("https://a/b") && isURL("/a") && !isURL("a/b") && !isURL("../a")',
  'ip("127.0.0.1").family() == 4 && ip("::1").isLoopback() && isIP("1.2.3.4") && !isIP("1.2.3")',
  'ip.isCanonical("2001:db8::abcd") && !ip.isCanonical("2001:DB8::ABCD")',
  'ip("169.254.1.1").isLinkLocalUnicast() && ip("8.8.8.8").isGlobalUnicast() && ip("0.0.0.0").isUnspecified()',
  'ip("224.0.0.1").isLinkLocalMulticast() && ip("::1") == ip("0:0:0:0:0:0:0:1")',
  'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.1"))',
  'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.1.0.0/16").containsCIDR(cidr("10.0.0.0/8"))',
  'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("::1/64").prefixLength() == 64',
  'cidr("10.1.2.3/8").ip() == ip("10.1.2.3") && isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0")',
  'string(ip("::1")) == "::1" && string(cidr("10.0.0.0/8")) == "10.0.0.0/8"',
  'quantity("1500m").add(quantity("1.5")).compareTo(quantity("3")) == 0',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && sign(quantity("1").sub(2)) == -1',
  'quantity("2k").asInteger() == 2000 && !quantity("1m").isInteger() && quantity("1.5").asApproximateFloat() == 1.5',
  'isQuantity("1Mi") && !isQuantity("1 Mi") && quantity("1000m") == quantity("1")',
  '!format.dns1123Label().validate("a-b").hasValue() && format.dns1123Label().validate("A").hasValue()',
  'format.named("uuid").value().validate("zork").hasValue() && !format.named("zork").hasValue()',
  'sets.contains([1, 2, 3], [3, 1]) && sets.equivalent([1, 1], [1]) && sets.intersects([1, 2], [2])',
  'semver("1.10.0").isGreaterThan(semver("1.9.0")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
  'isSemver("1.2.3") && !isSemver("1.2") && isSemver("v1.2", true) && semver("1.2.3").minor() == 2',
  'semver("1.0.0-rc.1").compareTo(semver("1.0.0-rc.2")) == -1 && semver("1.0.0").compareTo(semver("1.0.0")) == 0',
  '{"a": 1}.?a.orValue(2) == 1 && {"a": 1}.?b.orValue(2) == 2 && [1][?3].orValue(0) == 0',
  'optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optMap(x, x).hasValue()',
  '[1, 2].transformList(i, v, i + v) == [1, 3] && {"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
  'cel.bind(x, 2, x * x) == 4 && [?optional.none(), 1] == [1] && {?"a": optional.none()} == {}',
  'timestamp("2024-02-29T00:00:00Z").getDayOfYear() == 59 && duration("90s").getMinutes() == 1',
];

/** Expressions that have no value. */
const failing: readonly string[] = [
  '[].min() == 1',
  'ip("1.2.3.4.5").family() == 4',
  'cidr("10.0.0.0/33").prefixLength() == 33',
  'url("zork").getHost() == ""',
  'sign(quantity("zork")) == 0',
  'quantity("1m").asInteger() == 0',
  'semver("1").major() == 1',
  'optional.none().value() == 1',
  '9223372036854775807 + 1 > 0',
  'self.a',
];

describe('the functions of Kubernetes', () => {
  for (const text of holding) it(`compute ${text}`, () => assert.equal(evaluate(text), true));
  for (const text of failing) {
    it(`fail: ${text}`, () => assert.throws(() => evaluate(text), ExpressionError));
  }
});

/** Texts that are no patterns and have no unpaired surrogates. */
const plainText = fc.string({ unit: 'grapheme', maxLength: 20 });

describe('functions of lists and texts', () => {
  it('find what was joined', () => {
    fc.assert(
      fc.property(
        fc.array(
          plainText.filter((text) => !text.includes('|')),
          { minLength: 1 },
        ),
        (texts) => {
          assert.deepEqual(evaluate('self.join("|").split("|")', texts), texts);
        },
      ),
    );
  });

  it('have the same order as sorting', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        assert.equal(evaluate('self.isSorted()', sorted), true);
        assert.equal(evaluate('self.min()', numbers), sorted[0]);
        assert.equal(evaluate('self.max()', numbers), sorted.at(-1));
      }),
    );
  });

  it('agree with loops', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 0, max: 5 }), (numbers, wanted) => {
        const self = { numbers, wanted };
        assert.equal(evaluate('self.wanted in self.numbers', self), numbers.includes(wanted));
        assert.equal(evaluate('self.numbers.exists(n, n == self.wanted)', self), numbers.includes(wanted));
        assert.equal(evaluate('self.numbers.indexOf(self.wanted)', self), numbers.indexOf(wanted));
        assert.deepEqual(
          evaluate('self.numbers.filter(n, n != self.wanted)', self),
          numbers.filter((n) => n !== wanted),
        );
      }),
    );
  });

  it('count characters, not units of UTF-16', () => {
    fc.assert(
      fc.property(plainText, (text) => {
        assert.equal(evaluate('size(self)', text), Array.from(text).length);
        assert.equal(evaluate('self.substring(0, size(self)) == self', text), true);
      }),
    );
  });
});
