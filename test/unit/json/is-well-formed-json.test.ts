import assert from 'node:assert/strict';
import { isWellFormedJson } from '../../../src/json/is-well-formed-json.ts';

/** An object with each form of value, and space in some places. */
const good = String.raw`{"a":[1,-0.5e+3,{},[],[[]],{"b":null} ],"c":true, "d":{"\"\\\u00e9\n": "é"},"":false }`;

/** Bytes that say something in JSON, and some that say nothing. */
const inserted = Buffer.from('{}[]",:\\u0 \n1-eE.+tfnal\x01');

const parses = (text: Buffer): boolean => {
  try {
    const value: unknown = JSON.parse(text.toString('latin1'));
    return typeof value === 'object' && value !== null && text[0] === 0x7b;
  } catch {
    return false;
  }
};

describe('the check of JSON', () => {
  it('agrees with the parser on every change of one byte or two', () => {
    assert.ok(isWellFormedJson(Buffer.from(good)));
    for (let at = 0; at < Buffer.byteLength(good); at++)
      for (const byte of inserted)
        for (const next of [undefined, ...inserted]) {
          const changed = Buffer.from(good);
          changed[at] = byte;
          if (next !== undefined && at + 1 < changed.length) changed[at + 1] = next;
          assert.equal(isWellFormedJson(changed), parses(changed), changed.toString('latin1'));
        }
  });

  it('refuses every part of a document, and anything after it', () => {
    const bytes = Buffer.from(good);
    for (let end = 0; end < bytes.length; end++) assert.ok(!isWellFormedJson(bytes.subarray(0, end)), String(end));
    assert.ok(!isWellFormedJson(Buffer.from(`${good}{}`)));
    assert.ok(!isWellFormedJson(Buffer.from('[]')));
  });
});
