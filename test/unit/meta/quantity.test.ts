import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  compareQuantities,
  formatQuantity,
  normaliseQuantity,
  parseQuantity,
  type Quantity,
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
    ['+5', '5'],
    ['1.', '1'],
    ['.5', '500m'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['-1500m', '-1500m'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
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
  for (const [text, expected] of canonical) {
    it(`writes ${text} as ${expected}`, () => assert.equal(normaliseQuantity(text), expected));
  }

  for (const text of ['', '.', '-', '1Ei9', '1Kx', '1 Gi', 'Gi', '0x10', '1e1000', '1'.repeat(1_000_000), 'NaN']) {
    it(`refuses ${text.length > 20 ? `${text.length} digits` : JSON.stringify(text)}`, () => {
      assert.ok('error' in parseQuantity(text));
    });
  }

  const anyQuantity = fc
    .record({
      sign: fc.constantFrom('', '-'),
      whole: fc.bigInt({ min: 0n, max: 10n ** 15n }),
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

  it('orders amounts across suffixes', () => {
    const sorted = ['1Ki', '1n', '1', '999m', '1k', '-1'].map(quantity).toSorted(compareQuantities).map(formatQuantity);
    assert.deepEqual(sorted, ['-1', '1n', '999m', '1', '1k', '1Ki']);
  });
});
