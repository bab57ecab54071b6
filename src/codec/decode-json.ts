import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../meta/json-value.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { scanJson } from './scan-json.ts';

const byteOrderMark = '\ufeff';

/** What stands in a decoded text for bytes that are no UTF-8, unless a client wrote the character itself. */
const replacement = '\ufffd';

/** JSON between machines is UTF-8 without a byte order mark (RFC 8259, 8.1). */
function checkEncoding(bytes: Buffer, text: string): void {
  if (text.startsWith(byteOrderMark)) {
    throw new JsonDecodeError("invalid character '\\ufeff' looking for beginning of value");
  }
  if (text.includes(replacement) && !isUtf8(bytes)) throw new JsonDecodeError('invalid UTF-8 in JSON document');
}

/**
 * Reads a JSON document. Ordinary documents cost one scan of the bytes and a `JSON.parse`; a slower parser reads those
 * in which `JSON.parse` would lose something. With `duplicates`, the paths of repeated keys are collected
 * (`spec.x`, `spec.rules[0].host`); without, the last of them wins in silence. Throws `JsonDecodeError`.
 */
export function decodeJson(bytes: Buffer, options: { readonly duplicates: boolean }): ParsedJson {
  return parseChecked(checkJson(bytes, options.duplicates));
}

/** The text of a document that was scanned, and whether `JSON.parse` keeps all of it. */
interface CheckedJson {
  readonly text: string;
  readonly exact: boolean;
}

/** The first half of `decodeJson`, for documents that are read in several turns. Throws `JsonDecodeError`. */
export function checkJson(bytes: Buffer, duplicates: boolean): CheckedJson {
  const { lossy, maybeDuplicates } = scanJson(bytes, duplicates);
  const text = bytes.toString('utf8');
  checkEncoding(bytes, text);
  return { text, exact: !lossy && !maybeDuplicates };
}

/** The second half of `decodeJson`. Throws `JsonDecodeError`. */
export function parseChecked({ text, exact }: CheckedJson): ParsedJson {
  if (!exact) return parseJson(text);
  try {
    // JSON.parse gives a JSON value by definition; it can only not say so.
    return { value: JSON.parse(text) as JsonValue, duplicateFields: [] };
  } catch {
    // Finds the same error again, and says it in words that clients know.
    return parseJson(text);
  }
}
