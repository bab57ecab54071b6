import assert from 'node:assert/strict';
import { printKyaml } from '../../../../src/cli/printers/kyaml.ts';
import { printYaml } from '../../../../src/cli/printers/yaml.ts';
import { decodeYaml } from '../../../../src/codec/decode-yaml.ts';

const long = 'word '.repeat(30).trim();

/** Values and their form as kubectl prints it. */
const forms: readonly (readonly [value: string, form: string])[] = [
  ['plain', 'plain'],
  ['', '""'],
  ['yes', '"yes"'],
  ['12', '"12"'],
  ['0o7', '"0o7"'],
  ['1_000', '"1_000"'],
  ['12:30:00', '"12:30:00"'],
  ['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00Z"'],
  ['a: b', "'a: b'"],
  ["it's", "it's"],
  ['@a', "'@a'"],
  ['- a', "'- a'"],
  ['-a', '-a'],
  ['a, b', 'a, b'],
  ['a\tb', '"a\\tb"'],
  ['a\r\nb', '"a\\r\\nb"'],
  ['é ü 😀', '"é ü \\U0001F600"'],
  ['a\nb', '|-\n  a\n  b'],
  ['a\nb\n', '|\n  a\n  b'],
  ['a\nb\n\n', '|+\n  a\n  b\n'],
  [' a\nb', '|2-\n   a\n  b'],
  ['\n', '|2+\n'],
  [long, `${'word '.repeat(16).trim()}\n  ${'word '.repeat(14).trim()}`],
];

describe('-o yaml', () => {
  for (const [value, form] of forms) {
    it(`prints ${JSON.stringify(value).slice(0, 30)}`, () => {
      const text = printYaml({ x: value });
      assert.equal(text, `x: ${form}\n`);
      assert.deepEqual(decodeYaml(Buffer.from(text), 10_000).value, { x: value });
    });
  }

  it('sorts keys as Go does, and quotes those that are no texts', () => {
    const value = { b10: 1, b9: 2, '10': 3, '9': 4, y: 5, 'a b': {}, c: [], d: [[1], { e: null }] };
    const text = '"9": 4\n"10": 3\na b: {}\nb9: 2\nb10: 1\nc: []\nd:\n- - 1\n- e: null\n"y": 5\n';
    assert.equal(printYaml(value), text);
    assert.deepEqual(decodeYaml(Buffer.from(text), 10_000).value, value);
  });

  it('keeps every value in both forms', () => {
    const value = Object.fromEntries(
      Array.from('\u0000\u0007\u001b\u0085\u00a0\u2028\ufeff:#?-|>%@`"\'\\{}[],&*! ').flatMap((character, index) =>
        [character, `a${character}`, `${character}a`, `a ${character} b\n${character}`].map((text, at) => [
          `k${index}${at}`,
          text,
        ]),
      ),
    );
    for (const text of [printYaml(value), printKyaml(value)]) {
      assert.deepEqual(decodeYaml(Buffer.from(text), 100_000).value, value);
    }
  });
});
