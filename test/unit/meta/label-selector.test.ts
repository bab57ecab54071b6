import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { formatLabelSelector } from '../../../src/meta/label-requirement.ts';
import { parseLabelRequirements, parseLabelSelector } from '../../../src/meta/label-selector.ts';
import { matchLabelSelector } from '../../../src/meta/object-label-selector.ts';
import { StatusError } from '../../../src/status/status-error.ts';

describe('label selector', () => {
  const matches: readonly (readonly [selector: string, labels: Record<string, string>, expected: boolean])[] = [
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a=', { a: '' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b, c)', { a: 'c' }, true],
    ['a in (b,c)', {}, false],
    ['a notin (b,c)', {}, true],
    ['a in (,b)', { a: '' }, true],
    ['a in (b,)', { a: '' }, true],
    ['a in (b,,c)', { a: '' }, true],
    ['a in (b,,,)', { a: '' }, true],
    ['a in ()', { a: '' }, true],
    ['a in ( )', { a: 'b' }, false],
    ['a in ()', {}, false],
    ['a notin ()', { a: '' }, false],
    ['a notin ()', {}, true],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    [' ! a , b = c ', { b: 'c' }, true],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: 'six' }, false],
    ['a<5', { a: '4' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['example.com/a=b,c', { 'example.com/a': 'b' }, false],
    ['toString', {}, false],
    ['constructor!=x', {}, true],
  ];
  for (const [selector, labels, expected] of matches) {
    it(`${JSON.stringify(selector)} ${expected ? 'selects' : 'passes over'} ${JSON.stringify(labels)}`, () => {
      assert.equal(parseLabelSelector(selector)(labels), expected);
    });
  }

  const errors: readonly (readonly [selector: string, message: RegExp])[] = [
    ['a in m', /^unable to parse requirement: found 'm' expected: '\('$/],
    ['a b', /^unable to parse requirement: found 'b', expected: '=', '!=', '==', 'in', notin'$/],
    ['a in (b', /^unable to parse requirement: found '', expected: ',' or '\)'$/],
    ['a in (b,,)', /^unable to parse requirement: found '\)', expected: ',', or identifier$/],
    ['in in(y, ,\t)', /^unable to parse requirement: found '\)', expected: ',', or identifier$/],
    ['a in (b,=)', /^unable to parse requirement: found '=', expected: ',', or identifier$/],
    ['a in (=)', /^unable to parse requirement: found '=', expected: ',', '\)' or identifier$/],
    ['a in () b', /^found 'b', expected: ',' or 'end of string'$/],
    ['a\vb', /invalid label key "a\\u000bb"/],
    ['a==b=c', /^found '=', expected: ',' or 'end of string'$/],
    ['=a', /^found '=', expected: !, identifier, or 'end of string'$/],
    ['a=b,', /^found '', expected: identifier after ','$/],
    ['!', /^unable to parse requirement: found '', expected: identifier$/],
    ['x>a', /the value must be an integer$/],
    ['-a=b', /^unable to parse requirement: invalid label key "-a": name part must consist of /],
    [`${'k'.repeat(64)}=b`, /name part must be no more than 63 characters/],
    ['a=-', /^unable to parse requirement: invalid label value: "-": at key: "a": a valid label must be /],
    ['a=\0', /invalid label value/],
    [`a=${'b'.repeat(70_000)}`, /at most 65536 bytes$/],
  ];
  for (const [selector, message] of errors) {
    it(`answers 400 to ${JSON.stringify(selector.slice(0, 20))}`, () => {
      assert.throws(
        () => parseLabelSelector(selector),
        (error) => error instanceof StatusError && error.code === 400 && message.test(error.message),
      );
    });
  }

  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
  const value = fc.constantFrom('', '0', '1', '2', 'x', '07');
  const part = fc.oneof(
    fc.tuple(key, fc.constantFrom('=', '!='), value).map((texts) => texts.join('')),
    fc.tuple(key, fc.constantFrom('>', '<'), fc.nat({ max: 3 })).map((texts) => texts.join('')),
    fc
      .tuple(
        key,
        fc.constantFrom('in', 'notin'),
        fc.array(fc.constantFrom('0', '1', 'x'), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
    key,
    key.map((name) => `!${name}`),
  );

  it('selects what each of its requirements selects, however many there are and of whatever label', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.dictionary(key, value), (parts, labels) => {
        const expected = parts.every((one) => parseLabelSelector(one)(labels));
        const whole = parseLabelSelector(parts.join(','));
        assert.equal(whole(labels), expected);
        assert.equal(whole(new Map(Object.entries(labels))), expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes no longer for thousands of requirements than for an object’s labels', () => {
    const labels = new Map([
      ['a', '5'],
      ['b', 'x'],
    ]);
    const many = (of: (index: number) => string) => Array.from({ length: 5_000 }, (_, index) => of(index)).join(',');
    const selectors = [many((i) => `!k${i}`), many((i) => `b!=v${i}`), many((i) => `a<${i + 6}`)].map(
      parseLabelSelector,
    );
    const before = process.cpuUsage();
    for (let time = 0; time < 20_000; time++) for (const selects of selectors) assert.ok(selects(labels));
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_000_000, `${user} µs`);
  });

  it('reads what it writes', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    const requirement = fc.oneof(
      fc.record({ key: name, operator: fc.constantFrom('=' as const, '!=' as const), values: fc.tuple(name) }),
      fc.record({ key: name, operator: fc.constantFrom('exists' as const, '!' as const), values: fc.constant([]) }),
      fc.record({
        key: name,
        operator: fc.constantFrom('in' as const, 'notin' as const),
        values: fc.uniqueArray(name, { minLength: 1 }).map((values) => values.toSorted()),
      }),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        assert.deepEqual(
          parseLabelRequirements(formatLabelSelector(requirements)),
          requirements.map((item) => ({ ...item })),
        );
      }),
    );
  });

  it('answers any text with a selector or a 400', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab!=(),<> in\0/.-é')) }), (text) => {
        try {
          parseLabelSelector(text)({ a: 'b' });
        } catch (error) {
          assert.ok(error instanceof StatusError && error.code === 400);
        }
      }),
    );
  });

  it('compiles selector objects: absent selects nothing, empty everything', () => {
    assert.equal(matchLabelSelector(undefined)({ a: 'b' }), false);
    assert.equal(matchLabelSelector({})({ a: 'b' }), true);
    const selector: JsonObject = {
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: 'c', operator: 'NotIn', values: ['d'] },
        { key: 'e', operator: 'DoesNotExist' },
      ],
    };
    assert.equal(matchLabelSelector(selector)({ a: 'b', c: 'x' }), true);
    assert.equal(matchLabelSelector(selector)({ a: 'b', e: '' }), false);
    assert.throws(() => matchLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Like' }] }), RangeError);
  });
});
