import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import { yamlPieces } from '../../../src/codec/yaml-pieces.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';

const awkward = fc.constantFrom(
  '',
  '\n',
  ' ',
  'a\n',
  'a\n\n',
  '\na',
  ' a\nb',
  'a \nb ',
  'a\n\n b\n',
  '"\n',
  '- a',
  'a: b',
  '# a',
  '---\na',
  '...',
  '<<',
  '__proto__',
  '7',
  'yes',
  '1e3',
  'a\u2028b\nc',
  'a\rb\nc',
  '\ta\n',
  '%a',
  '? a',
  '| \n',
  'é\u0085\n',
  '*a',
  '&a',
);
const text = fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ maxLength: 200 }));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 6 },
    fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.oneof(text, fc.constant('k'.repeat(1_100))), tie('value'), { maxKeys: 6 }),
  ),
}));

describe('YAML in pieces', () => {
  it('is the text that is written in one piece, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(1, 10, 40, 200, 4_096), (some, pieceSize) => {
        assert.equal([...yamlPieces(some, pieceSize)].join(''), encodeYaml(some));
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 2_000) },
    );
  });

  it('has no anchors: what is shared is written where it is', () => {
    const shared = { a: [1, 2] };
    const some = { first: shared, second: [shared, shared], '&x': '*x' };
    for (const size of [1, 4_096]) {
      const written = [...yamlPieces(some, size)].join('');
      assert.equal(written, encodeYaml(some));
      assert.doesNotMatch(written, /^[^"]*[&*]/m);
    }
  });

  it('takes little at a time of a large object', () => {
    const some = { spec: { data: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, ['v', i]])) } };
    const pieces = [...yamlPieces(some)];
    assert.equal(pieces.join(''), encodeYaml(some));
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < 10_000);
  });
});
