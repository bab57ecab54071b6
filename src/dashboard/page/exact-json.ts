import type { JsonValue } from '../../meta/json-value.ts';

/** Integers of 16 digits and more may be beyond 2^53. */
const manyDigits = /\d{16}/;

/** The texts and the numbers of a document; a text is matched so that its digits are not. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses a document as `JSON.parse`, but integers beyond 2^53 become bigint: an object that is
 * saved must not lose digits of fields which its user never touched. Throws SyntaxError.
 */
export function parseExactJson(text: string): JsonValue {
  // The values of a document are JSON.
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  // No text of the document can begin like this by intent.
  const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('.')}:`;
  const marked = text.replace(tokens, (token) => (isLarge(token) ? `"${mark}${token}"` : token));
  return JSON.parse(marked, (_name, value: JsonValue) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  ) as JsonValue;
}

function isLarge(token: string): boolean {
  return token.length >= 16 && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
}
