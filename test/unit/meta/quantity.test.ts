import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  compareQuantities,
  formatQuantity,
  normaliseQuantity,
  parseQuantity,
  type Quantity,
  roundUpToThousandths,
} from '../../../src/meta/quantity.ts';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  assert.ok(!('error' in parsed), `${text} is a quantity`);
  return parsed;
}

describe('quantity', () => {
  const canonical: readonly (readonly [text: string, canonical: string])[] = [
    ['0', '0'],
    ['-0', '0'],
    ['.5', '500m'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['-1500m', '-1500m'],
    ['1e3', '1e3'],
    ['12e1', '120'],
    ['5e-1', '500e-3'],
    ['1E', '1E'],
    ['1000E', '1000E'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['2048Ki', '2Mi'],
    ['0.5Ki', '512'],
    ['1000.1Ki', '1024102400m'],
    ['0.1n', '1n'],
    ['9999Ei', '9223372036854775807'],
  ];
  /** A short number keeps its spelling where only the suffix could be another one, and that is the largest. */
  const kept: readonly (readonly [text: string, written: string])[] = [
    ['+3', '+3'],
    ['+3m', '+3m'],
    ['-03', '-03'],
    ['007', '007'],
    ['1.', '1.'],
    ['1E3', '1E3'],
    ['1e0', '1e0'],
    ['1.500', '1.500'],
    ['1.50', '1500m'],
    ['12345.678k', '12345.678k'],
    ['+1024', '+1024'],
    ['+1000', '1k'],
    ['+1000m', '1'],
    ['0.500', '500m'],
    ['+0.001k', '1'],
    ['+0', '0'],
    ['+1Ki', '+1Ki'],
    ['1.Gi', '1.Gi'],
    ['1.0Gi', '1Gi'],
    ['+12Ti', '+12Ti'],
    ['+512Ki', '512Ki'],
    ['+1024Ki', '1Mi'],
    ['+12345678901Ki', '+12345678901Ki'],
    ['+123456789017Ki', '123456789017Ki'],
    ['+5Pi', '5Pi'],
    ['+123456789012345678', '+123456789012345678'],
    ['+1234567890123456789', '1234567890123456789'],
    ['+1e-9', '+1e-9'],
    ['+1e-12', '1e-9'],
    ['.', '0'],
    ['-', '0'],
    ['Gi', '0'],
  ];
  for (const [text, expected] of [...canonical, ...kept]) {
    it(`writes ${text} as ${expected}`, () => assert.equal(normaliseQuantity(text), expected));
  }

  for (const text of ['', '1..5', '-+1', '1Ei9', '1Kx', '1 Gi', '0x10', '1e1000', '1'.repeat(1_000_000), 'NaN']) {
    it(`refuses ${text.length > 20 ? `${text.length} digits` : JSON.stringify(text)}`, () => {
      assert.ok('error' in parseQuantity(text));
    });
  }

  const anyQuantity = fc
    .record({
      sign: fc.constantFrom('', '-', '+', '0', '-00'),
      whole: fc.oneof(fc.bigInt({ min: 0n, max: 2_048n }), fc.bigInt({ min: 0n, max: 10n ** 15n })),
      fraction: fc.option(fc.nat(999_999), { nil: undefined }),
      suffix: fc.constantFrom(
        '',
        'n',
        'u',
        'm',
        'k',
        'M',
        'G',
        'T',
        'P',
        'E',
        'Ki',
        'Mi',
        'Gi',
        'Ti',
        'e3',
        'E-6',
        'e12',
      ),
    })
    .map(
      ({ sign, whole, fraction, suffix }) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
    );

  it('keeps the amount in its canonical form, which is a form of its own', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const parsed = quantity(text);
        const written = formatQuantity(parsed);
        assert.equal(compareQuantities(quantity(written), parsed), 0);
        assert.equal(normaliseQuantity(written), written);
      }),
    );
  });

  it('says of a text that only its suffix is wrong, or its form', () => {
    const suffix = { error: "unable to parse quantity's suffix" };
    for (const text of ['1e', '1Ei9', '-+1', '1i']) assert.deepEqual(parseQuantity(text), suffix, text);
    for (const text of ['', '1..5', '0x10', '1 Gi']) {
      assert.match(JSON.stringify(parseQuantity(text)), /must match the regular expression/, text);
    }
  });

  it('keeps no spelling whose canonical form is a larger suffix', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const { spelling, ...amount } = quantity(text);
        if (spelling === undefined) return;
        assert.equal(spelling, text);
        const suffixOf = (written: string) => /[a-zA-Z]*$/.exec(written)?.[0];
        const [own, largest] = [suffixOf(text), suffixOf(formatQuantity(amount))];
        // Fractions and exponents are other ways to write the same suffix.
        if (!/[.eE]/.test(text)) assert.equal(own, largest);
      }),
    );
  });

  it('rounds up to thousandths, away from zero, and leaves what is whole as it is', () => {
    const rounded = (text: string) => formatQuantity(roundUpToThousandths(quantity(text)));
    assert.deepEqual(['12.5m', '1n', '-0.0005', '1e-4', '1.2345678Mi', '10.000001', '+3', '1.500', '0'].map(rounded), [
      '13m',
      '1m',
      '-1m',
      '1e-3',
      '1294538166m',
      '10001m',
      '+3',
      '1.500',
      '0',
    ]);
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const [before, after] = [quantity(text), roundUpToThousandths(quantity(text))];
        const more = before.nanos < 0n ? before.nanos - after.nanos : after.nanos - before.nanos;
        assert.ok(after.nanos % 1_000_000n === 0n && more >= 0n && more < 1_000_000n);
        assert.equal(rounded(rounded(text)), rounded(text));
      }),
    );
  });

  it('orders amounts across suffixes', () => {
    const sorted = ['1Ki', '1n', '1', '999m', '1k', '-1'].map(quantity).toSorted(compareQuantities).map(formatQuantity);
    assert.deepEqual(sorted, ['-1', '1n', '999m', '1', '1k', '1Ki']);
  });
});
