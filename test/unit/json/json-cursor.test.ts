import assert from 'node:assert/strict';
import { assert as holds, json, property } from 'fast-check';
import { JsonCursor, noToken, quote } from '../../../src/json/json-cursor.ts';

/** All tokens of a text, as they are written. */
function tokensOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const cursor = new JsonCursor(bytes);
  const tokens: string[] = [];
  while (cursor.next() !== noToken) tokens.push(bytes.toString('utf8', cursor.start, cursor.end));
  return tokens;
}

describe('the cursor over JSON', () => {
  it('finds the same tokens whatever space is between them', () =>
    holds(
      property(json(), (text) => {
        const value: unknown = JSON.parse(text);
        const compact = JSON.stringify(value);
        assert.equal(tokensOf(compact).join(''), compact);
        assert.deepEqual(tokensOf(JSON.stringify(value, null, '\t\r\n ')), tokensOf(compact));
      }),
    ));

  it('skips a whole value', () =>
    holds(
      property(json(), (text) => {
        const value = JSON.stringify(JSON.parse(text));
        const bytes = Buffer.from(`[${value},"next"]`);
        const cursor = new JsonCursor(bytes, 1);
        cursor.skipValue();
        assert.equal(bytes.toString('utf8', 1, cursor.end), value);
      }),
    ));

  it('finds the end of long strings with escapes', () => {
    const text = JSON.stringify(`${'a'.repeat(31)}\\"${'b'.repeat(40)}\\`);
    assert.deepEqual(tokensOf(`${text}:1`), [text, ':', '1']);
  });

  it('ends with the bytes, whatever they are', () => {
    for (const text of ['"abc', '"abc\\', '"', '[1', '{"a":tru', `"${'x'.repeat(50)}\\"`]) {
      const cursor = new JsonCursor(Buffer.from(text));
      while (cursor.next() !== noToken) assert.ok(cursor.end > cursor.start);
      assert.equal(cursor.end, Buffer.byteLength(text));
    }
    assert.equal(new JsonCursor(Buffer.from('"')).next(), quote);
  });
});
