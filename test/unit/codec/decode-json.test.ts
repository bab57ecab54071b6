import assert from 'node:assert/strict';
import { cpuMsOf } from '../cpu-time.ts';
import * as fc from 'fast-check';
import { decodeJson } from '../../../src/codec/decode-json.ts';
import { encodeJson } from '../../../src/codec/encode-json.ts';
import { JsonDecodeError } from '../../../src/codec/decode-error.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';

function decode(text: string | Buffer) {
  return decodeJson(Buffer.from(text), { duplicates: true });
}

function refuses(text: string | Buffer, message: string | RegExp): void {
  assert.throws(
    () => decode(text),
    (error) =>
      error instanceof JsonDecodeError &&
      (typeof message === 'string' ? error.message === message : message.test(error.message)),
  );
}

describe('decodeJson', () => {
  it('agrees with JSON.parse on ordinary documents, indented or not', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (text, indent) => {
        const document = JSON.stringify(JSON.parse(text), null, indent);
        const { value, duplicateFields } = decode(document);
        assert.equal(encodeJson(value), JSON.stringify(JSON.parse(document)));
        assert.deepEqual(duplicateFields, []);
      }),
    );
  });

  it('agrees with JSON.parse on what is no document', () => {
    const characters = fc.constantFrom(...Array.from('{}[]",:\\ue0159-.truefalsn \n'));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid && !/[eE]\d{3}/.test(text)) decode(text);
        else if (!valid) assert.throws(() => decode(text), JsonDecodeError);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every digit of large integers', () => {
    for (const digits of ['9007199254740993', '-9223372036854775808', '18446744073709551615']) {
      const { value } = decode(`{"x":[${digits}]}`);
      assert.deepEqual(value, { x: [BigInt(digits)] });
      assert.equal(encodeJson(value), `{"x":[${digits}]}`);
    }
  });

  it('leaves small and fractional numbers as they are', () => {
    assert.deepEqual(decode('[1,1.5,-0.1,1e3,0.1234567890123456789]').value, [1, 1.5, -0.1, 1000, 0.12345678901234568]);
  });

  const duplicates: readonly (readonly [text: string, paths: readonly string[], value: JsonValue])[] = [
    ['{"a":1,"a":2}', ['a'], { a: 2 }],
    ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', ['a.b[1].c'], { a: { b: [{ c: 1 }, { c: 2 }] } }],
    ['{"a":1,"\\u0061":2}', ['a'], { a: 2 }],
    ['{"a" : 1,\n"a" : 2, "a":3}', ['a'], { a: 3 }],
    ['{"a":{"a":1},"b":{"a":1}}', [], { a: { a: 1 }, b: { a: 1 } }],
    ['{"a":null,"a":1}', ['a'], { a: 1 }],
  ];
  for (const [text, paths, value] of duplicates) {
    it(`finds ${paths.length} repeated keys in ${text.replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(decode(text), { value, duplicateFields: paths });
      assert.deepEqual(decodeJson(Buffer.from(text), { duplicates: false }).value, value);
    });
  }

  it('finds one repeated key among thousands, and among nested objects of thousands', () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `"key${i}":{"x":${i}}`);
    assert.deepEqual(decode(`{${keys.join(',')}}`).duplicateFields, []);
    assert.deepEqual(decode(`{${keys.join(',')},"key4711":1}`).duplicateFields, ['key4711']);
    const nested = `{${keys.join(',')},"in":{${keys.join(',')}},"key3":0}`;
    assert.deepEqual(decode(nested).duplicateFields, ['key3']);
  });

  it('keeps __proto__ as data', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"\\u0061":1}']) {
      const { value } = decode(text);
      assert.ok(Object.hasOwn(value as object, '__proto__'));
      assert.equal(({} as Record<string, unknown>)['x'], undefined);
      assert.match(encodeJson(value), /^\{"__proto__":\{"x":1\}/);
    }
  });

  it('makes halves of surrogate pairs well-formed, in keys and values', () => {
    assert.deepEqual(decode('{"\\ud800":"a\\udfff","b":"\\ud83d\\ude00"}').value, {
      '\ufffd': 'a\ufffd',
      b: '\u{1f600}',
    });
  });

  it('keeps NUL in strings', () => assert.equal(decode('"a\\u0000b"').value, 'a\0b'));

  it('keeps U+FFFD that a client wrote', () => assert.equal(decode('"\ufffd"').value, '\ufffd'));

  it('reads a thousand levels and refuses one more, without recursing', () => {
    decode('['.repeat(1000) + ']'.repeat(1000));
    refuses('['.repeat(1001) + ']'.repeat(1001), 'exceeded max depth');
    refuses('['.repeat(1_500_000), 'exceeded max depth');
    refuses('{"a":'.repeat(1001), 'exceeded max depth');
    decode(JSON.stringify('['.repeat(5000)));
  });

  const malformed: readonly (readonly [text: string | Buffer, message: string | RegExp])[] = [
    ['', 'unexpected end of JSON input'],
    [' \n', 'unexpected end of JSON input'],
    ['{"kind":', 'unexpected end of JSON input'],
    ['{"a":1}{}', "invalid character '{' after top-level value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['NaN', "invalid character 'N' looking for beginning of value"],
    ['// x', "invalid character '/' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['[1.]', "invalid character ']' after decimal point in numeric literal"],
    ['[1e400]', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    [`[${'9'.repeat(100_000)}]`, /^json: cannot unmarshal number 9{40}\.\.\. into/],
    ['\ufeff{}', "invalid character '\\ufeff' looking for beginning of value"],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid UTF-8 in JSON document'],
    [Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'invalid UTF-8 in JSON document'],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'invalid UTF-8 in JSON document'],
    [Buffer.from('{}', 'utf16le'), /invalid character/],
  ];
  for (const [text, message] of malformed) {
    it(`refuses ${JSON.stringify(text.toString('latin1').slice(0, 20))}`, () => refuses(text, message));
  }

  it('is not slowed down by strings full of quotes and backslashes', async () => {
    const text = JSON.stringify({ a: '\\"'.repeat(300_000), b: '\\'.repeat(300_001) });
    const cpuMs = await cpuMsOf(() => assert.deepEqual(decode(text).value, JSON.parse(text)));
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`);
  });
});
