import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeYaml } from '../../../src/codec/decode-yaml.ts';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import { JsonDecodeError } from '../../../src/codec/decode-error.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { threadCpuMs } from '../../thread-cpu.ts';

function bomb(item: (names: string) => string): string {
  return [
    'a: &a {k: v}',
    ...Array.from('bcdefghi', (c, i) => `${c}: &${c} ${item(`*${String.fromCharCode(97 + i)}, `.repeat(9))}`),
  ].join('\n');
}

describe('decodeYaml', () => {
  const documents: readonly (readonly [text: string, value: JsonValue])[] = [
    ['a: yes\nb: Off\nc: "yes"\nd: yEs', { a: true, b: false, c: 'yes', d: 'yEs' }],
    ['a: 0777\nb: 0o17\nc: 0x1F\nd: 1_000\ne: 08', { a: 511, b: 15, c: 31, d: 1000, e: 8 }],
    ['a: 1e3\nb: .5\nc: -0.25', { a: 1000, b: 0.5, c: -0.25 }],
    ['a: 9007199254740993', { a: 9007199254740993n }],
    ['a: 2020-01-01\nb: 2020-01-01T00:00:00Z\nc: 1:30', { a: '2020-01-01', b: '2020-01-01T00:00:00Z', c: '1:30' }],
    ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
    ['a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x', { a: { b: 1, c: 2 }, d: { c: 3, b: 1 } }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
    ['1: a\ntrue: b', { '1': 'a', true: 'b' }],
    ['a: !!str 5\nb: !!int 6', { a: '5', b: 6 }],
    ['a: !!binary aGVsbG8=\n!!binary Yg==: !!binary |\n  aGVs\n  bG8=', { a: 'hello', b: 'hello' }],
    ['a: !!binary "/w=="', { a: '\ufffd' }],
    ['---\na: 1\n...\n', { a: 1 }],
    ['\ufeffa: 1', { a: 1 }],
    ['{"a": [1, true, null]}', { a: [1, true, null] }],
    ['{"a": b}', { a: 'b' }],
    ['', null],
  ];
  for (const [text, value] of documents) {
    it(`reads ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.deepEqual(decodeYaml(Buffer.from(text)).value, value));
  }

  it('reports repeated keys, the last of which wins', () => {
    const { value, duplicateFields, duplicateKeys } = decodeYaml(Buffer.from('a:\n- b: 1\n  b: 2'));
    assert.deepEqual(value, { a: [{ b: 2 }] });
    assert.deepEqual(duplicateFields, ['a[0].b']);
    assert.deepEqual(duplicateKeys, ['line 3: key "b" already set in map']);
  });

  it('keeps __proto__ as data', () => {
    const { value } = decodeYaml(Buffer.from('a: &x {__proto__: {x: 1}}\nb: {<<: *x}\n'));
    assert.equal(JSON.stringify(value), '{"a":{"__proto__":{"x":1}},"b":{"__proto__":{"x":1}}}');
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });

  const refused: readonly (readonly [name: string, text: string | Buffer, message: RegExp])[] = [
    ['an alias bomb', bomb((names) => `[${names}]`), /excessive aliasing/],
    ['a bomb of merge keys', bomb((names) => `{<<: [${names}]}`), /excessive aliasing/],
    ['aliases of a long text', `- &a ${'x'.repeat(50_000)}\n${'- *a\n'.repeat(100)}`, /at most 3145728 characters/],
    ['aliases of a long key', `? &a ${'x'.repeat(50_000)}\n: 1\nb:\n${'- *a : 1\n'.repeat(100)}`, /3145728 characters/],
    ['thousands of anchors that name each other', '&a x: *a\n'.repeat(14_000), /excessive aliasing/],
    ['an alias to its own parent', '&a [*a]', /unknown anchor/],
    ['several documents', 'a: 1\n---\nb: 2', /single document/],
    ['a tag of a language', 'a: !!js/function x', /tag/],
    ['binary that is no base64', 'a: !!binary aGk', /^error converting YAML to JSON: yaml: !!binary value contains/],
    ['an ordered map', '!!omap [a: 1]', /tag/],
    ['a tag of its own', 'a: !foo {b: 1}', /tag/],
    ['infinity', 'a: .inf', /no JSON number/],
    ['a list as a key', '? [a]\n: b', /key must be/],
    ['tabs', '\ta: 1', /line 1: Tabs/],
    ['an open bracket', 'a: 1\nb: [1', /line 2/],
    ['deep flow nesting', '['.repeat(60_000) + ']'.repeat(60_000), /max depth/],
    ['deep block nesting', '- '.repeat(60_000), /max depth/],
    ['invalid UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff]), /UTF-8/],
    ['a document too large for the parser', `a: ${'x'.repeat(200_000)}`, /at most 131072 bytes/],
  ];
  for (const [name, text, message] of refused) {
    it(`refuses ${name}`, () => {
      assert.throws(
        () => decodeYaml(Buffer.from(text)),
        (error) => error instanceof JsonDecodeError && message.test(error.message),
      );
    });
  }

  it('refuses what nests too deep without reading on', () => {
    const onceMs = (levels: number): number => {
      const start = threadCpuMs();
      assert.throws(() => decodeYaml(Buffer.from('['.repeat(levels)), levels), /max depth/);
      return threadCpuMs() - start;
    };
    // The shortest of three: a collection of garbage may fall into one.
    const refusalMs = (levels: number): number => Math.min(...[1, 2, 3].map(() => onceMs(levels)));
    const little = Math.max(refusalMs(2_000), 5);
    assert.ok(refusalMs(2_000_000) < 100 * little, 'a thousand times as many levels take as much longer');
  });

  it('reads what encodeYaml writes', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'yes',
        'n',
        '1e3',
        '0o7',
        '0777',
        '2020-01-01',
        '~',
        '<<',
        '=',
        '1:30',
        '*a',
        '- x',
        '#',
        'a: b',
        ' ',
        '\n',
      ),
    );
    const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(word, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(anyValue, (value) => {
        assert.deepEqual(decodeYaml(Buffer.from(encodeYaml(value))).value, value);
      }),
      { numRuns: 500 },
    );
  });
});
