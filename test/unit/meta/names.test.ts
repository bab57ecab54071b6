import assert from 'node:assert/strict';
import { cpuMsOf } from '../cpu-time.ts';
import { compareVersions, formatApiVersion, parseApiVersion } from '../../../src/meta/group-version-kind.ts';
import { generateName } from '../../../src/meta/random-suffix.ts';
import { parseResourceVersion } from '../../../src/meta/resource-version.ts';
import {
  type NameRule,
  validateConfigKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateNameBase,
  validatePathSegment,
  validatePortName,
  validateQualifiedName,
  validateWildcardDnsSubdomain,
} from '../../../src/meta/validate-name.ts';

describe('names', () => {
  const rules: readonly (readonly [rule: NameRule, good: readonly string[], bad: readonly string[]])[] = [
    [validateDnsLabel, ['a', 'a-1', '1a', 'a'.repeat(63)], ['', '-a', 'a-', 'A', 'a.b', 'a'.repeat(64), 'a\n']],
    [validateDnsSubdomain, ['a', 'a.b-c.d', 'a'.repeat(253)], ['', 'a..b', '.a', 'a_b', 'A', 'a'.repeat(254), 'é']],
    [validateDns1035Label, ['a', 'a-1'], ['1a', '', 'a.b']],
    [validateWildcardDnsSubdomain, ['*.a.b'], ['*', '*.', 'a.*', '*.*.a']],
    [validateLabelValue, ['', 'a', 'A_b.c-1'], ['-a', 'a b', 'a'.repeat(64)]],
    [validateQualifiedName, ['a', 'a.b/C_d', 'A'], ['', '/a', 'a/', 'a/b/c', 'A/b', '__proto__', 'a b']],
    [validatePathSegment, ['a:b', 'é', '...'], ['.', '..', 'a/b', 'a%b']],
    [validateConfigKey, ['a.b', '__proto__', 'constructor'], ['', '.', '..', '..a', 'a b', 'a'.repeat(254)]],
    [validatePortName, ['http', 'a1-b'], ['', '80', 'HTTP', '-a', 'a--b', 'a'.repeat(16)]],
  ];
  for (const [rule, good, bad] of rules) {
    it(`${rule.name || 'a rule'} takes ${good.join(' ').slice(0, 40)}`, () => {
      for (const text of good) assert.deepEqual(rule(text), [], text);
    });
    it(`${rule.name || 'a rule'} refuses ${bad.join(' ').slice(0, 40)}`, () => {
      for (const text of bad) assert.notDeepEqual(rule(text), [], text);
    });
  }

  it('explains a broken rule in the words of the API', () => {
    assert.deepEqual(validateDns1035Label('S_x'), [
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ]);
    assert.deepEqual(validateDnsSubdomain('A'), [
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    assert.deepEqual(validatePathSegment('a/%'), ["may not contain '/'", "may not contain '%'"]);
  });

  it('lets the base of a generated name end with a dash', () => {
    assert.deepEqual(validateNameBase(validateDnsSubdomain, 'a-'), []);
    assert.notDeepEqual(validateNameBase(validateDnsSubdomain, '-'), []);
  });

  it('cuts the base of a generated name, so that the name is a label', () => {
    assert.match(generateName('x'.repeat(300)), /^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('decides on a megabyte at once', async () => {
    const cpuMs = await cpuMsOf(() => {
      for (const [rule] of rules) rule('a-'.repeat(500_000));
    });
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`);
  });
});

describe('apiVersion', () => {
  it('splits into group and version and back', () => {
    assert.deepEqual(parseApiVersion('v1'), { group: '', version: 'v1' });
    assert.deepEqual(parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' });
    assert.equal(parseApiVersion('a/b/c'), undefined);
    assert.equal(formatApiVersion('apps', 'v1'), 'apps/v1');
    assert.equal(formatApiVersion('', 'v1'), 'v1');
  });

  it('prefers GA to beta to alpha, and newer to older', () => {
    const sorted = ['v1alpha1', 'foo', 'v1beta1', 'v1', 'v2beta1', 'v10', 'v1beta2', 'v2'].toSorted(compareVersions);
    assert.deepEqual(sorted, ['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1beta1', 'v1alpha1', 'foo']);
  });
});

describe('resourceVersion', () => {
  it('is unset, any, a revision, or too large to be one', () => {
    assert.deepEqual(parseResourceVersion(''), { type: 'unset' });
    assert.deepEqual(parseResourceVersion('0'), { type: 'any' });
    assert.deepEqual(parseResourceVersion('0042'), { type: 'revision', revision: 42 });
    assert.deepEqual(parseResourceVersion('9007199254740993'), { type: 'tooLarge' });
  });

  for (const text of ['-1', 'abc', '1e3', '1.5', ' 1', '18446744073709551616', '9'.repeat(1_000_000)]) {
    it(`is malformed as ${text.slice(0, 24)}`, () => assert.equal(parseResourceVersion(text).type, 'malformed'));
  }

  it('names what is wrong as Go does', () => {
    assert.deepEqual(parseResourceVersion('abc'), {
      type: 'malformed',
      message: 'strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });
});
