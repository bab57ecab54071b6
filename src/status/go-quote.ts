/** Characters with short escapes in Go. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/**
 * Characters that Go escapes: quotes, backslashes, and all but letters, marks, numbers,
 * punctuation, symbols and the space.
 */
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Quotes a text as Go's `%q` does. JSON escapes other characters, and in other ways. */
export function goQuote(text: string): string {
  return `"${text.replace(escaped, (character) => escapes.get(character) ?? numbered(character.codePointAt(0) ?? 0))}"`;
}

const lastAscii = 0x7f;
const lastShort = 0xffff;

function numbered(code: number): string {
  const digits = code.toString(16);
  if (code <= lastAscii) return `\\x${digits.padStart(2, '0')}`;
  return code <= lastShort ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
