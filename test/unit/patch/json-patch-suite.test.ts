import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { decodeJson } from '../../../src/codec/decode-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { applyJsonPatch } from '../../../src/patch/json-patch.ts';
import { PatchError } from '../../../src/patch/patch-error.ts';

/** The public suite of JSON Patch. What it leaves to the implementation (`disabled`) is run too. */
const files = ['spec_tests.json', 'tests.json'];

/** Cases that must fail by RFC 6902 and succeed as in kube-apiserver, by the error or comment of the suite. */
const accepted: ReadonlySet<JsonValue | undefined> = new Set([
  // A negative index counts back from the end.
  'Out of bounds (lower)',
  // A missing value is null.
  "missing 'value' parameter to add",
  "missing 'value' parameter to replace",
  "missing 'value' parameter to test",
]);

/** Cases that succeed by RFC 6902 and fail as in kube-apiserver. */
const refused: ReadonlySet<JsonValue | undefined> = new Set([
  'replacing the root of the document is possible with add',
]);

/** The cases of a file with the paths of the keys that stand twice, which only the text tells. */
function read(file: string): { readonly cases: readonly JsonObject[]; readonly repeated: readonly string[] } {
  const bytes = readFileSync(new URL(import.meta.resolve(`json-patch-test-suite/${file}`)));
  const { value, duplicateFields } = decodeJson(bytes, { duplicates: true });
  assert.ok(Array.isArray(value));
  return { cases: value.filter(isJsonObject), repeated: duplicateFields };
}

function check({ doc = null, patch = null, expected, error, comment }: JsonObject): void {
  if (refused.has(comment) || (error !== undefined && !accepted.has(comment ?? error))) {
    assert.throws(() => applyJsonPatch(doc, patch), PatchError);
    return;
  }
  const result: JsonValue = applyJsonPatch(doc, patch);
  // A case without a result has a document that only needs to pass its tests.
  if (expected !== undefined) assert.deepEqual(result, expected);
}

describe('the public JSON patch suite', () => {
  for (const file of files) {
    const { cases, repeated } = read(file);
    for (const [i, one] of cases.entries()) {
      if (one['patch'] === undefined) continue;
      const twice = repeated.filter((path) => path.startsWith(`[${i}].`));
      const title = `${file} ${i}: ${JSON.stringify(one['comment'] ?? one['error'] ?? one['patch'])}`;
      // RFC 6902, A.13: keys that stand twice are the reader's to find; under strict validation the request is refused.
      if (twice.length > 0) it(title, () => assert.match(twice.join(), /\.op$/));
      else it(title, () => check(one));
    }
  }
});
