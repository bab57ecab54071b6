import assert from 'node:assert/strict';
import { encodeJson } from '../../../src/codec/encode-json.ts';
import { parseExactJson } from '../../../src/dashboard/page/exact-json.ts';
import { mergeChanges } from '../../../src/dashboard/page/merge-changes.ts';
import { readYaml, yamlOf } from '../../../src/dashboard/page/yaml-text.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';

function objectOf(text: string): JsonObject {
  const value = parseExactJson(text);
  assert.ok(isJsonObject(value));
  return value;
}

describe('objects of the dashboard', () => {
  const text = String.raw`{"a":9223372036854775807,"b":[-9007199254740993,1,0.12345678901234567,1e21],"c":"12345678901234567890 \\\" 9223372036854775807","9223372036854775807":true}`;

  it('keep integers of 64 bits when they are saved, as form and as YAML', () => {
    const object = objectOf(text);
    assert.deepEqual(object['a'], 9223372036854775807n);
    assert.equal(encodeJson(readYaml(yamlOf(object))), encodeJson(object));
    assert.match(encodeJson(object), /"a":9223372036854775807,"b":\[-9007199254740993,1,0\.12345678901234566,1e\+21\]/);
    assert.deepEqual(readYaml('a: 9007199254740991\nb: 9007199254740992\nc: "9007199254740993"'), {
      a: 9007199254740991,
      b: 9007199254740992n,
      c: '9007199254740993',
    });
  });

  it('have the values of JSON.parse otherwise, and its errors', () => {
    const { a: _, b: __, ...rest } = objectOf(text);
    const { a: ___, b: ____, ...expected } = JSON.parse(text) as JsonObject;
    assert.deepEqual(rest, expected);
    assert.throws(() => parseExactJson('{"a":12345678901234567890,}'), SyntaxError);
  });

  it('are merged with the changes of another writer around large integers', () => {
    const [base, mine, latest] = [
      '{"a":9007199254740993,"b":1}',
      '{"a":9007199254740993,"b":2}',
      '{"a":9007199254740995,"b":1}',
    ];
    const merged = mergeChanges(objectOf(base), objectOf(mine), objectOf(latest));
    assert.equal(encodeJson(merged), '{"a":9007199254740995,"b":2}');
  });
});
