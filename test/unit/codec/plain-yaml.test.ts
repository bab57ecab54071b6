import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import * as fc from 'fast-check';
import { decodePlainYaml } from '../../../src/codec/plain-yaml.ts';
import { decodeYaml } from '../../../src/codec/decode-yaml.ts';

/** The value as the complete reader has it; undefined if it refuses the text. */
function completely(text: string): unknown {
  try {
    const { value, duplicateFields } = decodeYaml(Buffer.from(text), 1024 * 1024);
    return duplicateFields.length > 0 ? undefined : { value };
  } catch {
    return undefined;
  }
}

const words = fc.constantFrom('a', 'b c', 'x: y', 'true', '1', '- a', "it's", '"q"', '#c', 'a #c', '', ' lead', 'end ');
const more = fc.constantFrom(
  'two\nlines',
  'a\n\nb\n',
  '  in\nout',
  'out\n  in\n',
  '\n',
  '&a',
  '{}',
  '~',
  'yes',
  'é\u0001',
);
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    words,
    more,
    fc.constantFrom(1, true, null, 0.5),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(words, tie('node'), { maxKeys: 3 }),
  ),
})).node;
const styles = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
const cuts = fc.tuple(fc.nat(), fc.constantFrom('', ' ', ':', '#', '-', '\n', '"', "'", ' # c', '{', '|'));

describe('decodePlainYaml', () => {
  it('reads a text like the complete reader, or leaves it to that reader', () => {
    const texts = fc.tuple(tree, styles, fc.boolean(), fc.constantFrom(0, 20, 80), cuts);
    let plain = 0;
    fc.assert(
      fc.property(texts, ([value, style, indentSeq, lineWidth, [place, cut]]) => {
        const options = { defaultStringType: style, indentSeq, lineWidth, aliasDuplicateObjects: false } as const;
        const written = stringify({ key: value, other: value }, options);
        const at = place % (written.length + 1);
        for (const text of [written, written.slice(0, at) + cut + written.slice(at)]) {
          const read = decodePlainYaml(text);
          if (!read) continue;
          plain++;
          assert.deepEqual(read, completely(text), text);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(plain > 250, `${plain} were read`);
  });

  it('reads what manifests have', () => {
    const text = [
      '# a comment',
      'metadata:',
      '  name: web   # of the site',
      '  annotations: {"a/b": "x, y", c: yes}',
      'list:',
      '- name: one',
      '  args: [--flag=1, "two", 3]',
      '-',
      '  name: two',
      'text: |-',
      '  line one',
      '',
      '    line two',
      'folded: a text that goes',
      '  on in the next line',
      'port: 8080',
      '',
    ].join('\n');
    assert.deepEqual(decodePlainYaml(text)?.value, {
      metadata: { name: 'web', annotations: { 'a/b': 'x, y', c: true } },
      list: [{ name: 'one', args: ['--flag=1', 'two', 3] }, { name: 'two' }],
      text: 'line one\n\n  line two',
      folded: 'a text that goes on in the next line',
      port: 8080,
    });
  });

  it('leaves anchors, tags, merge keys and duplicate keys to the complete reader', () => {
    for (const text of ['a: &x 1', 'a: !!str 1', '<<: {a: 1}', 'a: 1\na: 2', 'a: *x', '? a\n: b', 'a: .inf']) {
      assert.equal(decodePlainYaml(text), undefined, text);
    }
  });
});
