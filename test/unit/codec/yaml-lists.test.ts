import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import { documentOf } from '../../../src/codec/document.ts';
import { yamlCodec } from '../../../src/codec/yaml-codec.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';

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

const head = { kind: 'ThingList', apiVersion: 'v1', metadata: { resourceVersion: '1' } };

describe('a list in YAML', () => {
  it('is the text that is written in one piece, whether its items are encoded alone or together', async () => {
    const { signal } = new AbortController();
    const encoder = yamlCodec.list({ head, field: 'items', empty: '[]', typedItems: true });
    const isWhole = async (values: readonly JsonValue[]): Promise<void> => {
      // As JSON has them: -0 is 0.
      const items = values.map((spec): JsonObject => JSON.parse(JSON.stringify({ spec })));
      const documents = items.map(documentOf);
      const alone = Buffer.concat([encoder.head(0), ...documents.flatMap(encoder.item), encoder.tail]);
      const together = await encoder.itemsInThread?.(documents, { client: '', signal });
      const whole = encodeYaml({ ...head, items });
      assert.equal(alone.toString(), whole);
      assert.equal(`${encoder.head(0).toString()}${together?.toString()}${encoder.tail.toString()}`, whole);
    };
    await fc.assert(fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), isWhole), {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 1_000),
    });
  });

  it('has no anchors: values that are the same object are written twice', () => {
    const shared = { a: [1, 2] };
    const written = encodeYaml({ first: shared, second: [shared, shared], '&x': '*x' });
    assert.doesNotMatch(written, /^[^"]*[&*]/m);
  });

  it('orders keys as kube-apiserver does: numbers by their value, letters last, but first after digits', () => {
    const keys = ['a10', 'a2', 'aB', 'a.b', 'a', 'b', '10', '9', '010', '1b', '1-', 'B', 'a-b', 'a1b', 'a1.b', 'é'];
    const ordered = ['1b', '1-', '9', '10', '010', 'B', 'a', 'a-b', 'a.b', 'a1b', 'a1.b', 'a2', 'a10', 'aB', 'b', 'é'];
    const written = encodeYaml(Object.fromEntries(keys.map((key) => [key, 0])));
    assert.deepEqual(
      written.match(/^[^:]+/gm)?.map((key) => key.replaceAll('"', '')),
      ordered,
    );
  });
});
