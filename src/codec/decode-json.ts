import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../meta/json-value.ts';
import { JsonDecodeError } from './decode-error.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { scanJson } from '../json/scan-json.ts';

const byteOrderMark = '\ufeff';

/**
 * Decoding replaces invalid UTF-8 with this character. A client may also have sent the character.
 */
const replacement = '\ufffd';

/**
 * Checks that the document is UTF-8 without a byte order mark (RFC 8259, section 8.1). Throws
 * `JsonDecodeError`.
 */
function checkEncoding(bytes: Buffer, text: string): void {
  if (text.startsWith(byteOrderMark)) {
    throw new JsonDecodeError("invalid character '\\ufeff' looking for beginning of value");
  }
  if (text.includes(replacement) && !isUtf8(bytes)) throw new JsonDecodeError('invalid UTF-8 in JSON document');
}

/**
 * Parses a JSON document. Ordinary documents cost one scan of the bytes and a `JSON.parse`;
 * documents that `JSON.parse` would change are parsed by the slower `parseJson`. With `duplicates`,
 * the paths of duplicate keys are collected (`spec.x`, `spec.rules[0].host`). Without it they are
 * not reported, and the last value wins. Throws `JsonDecodeError`.
 */
export function decodeJson(bytes: Buffer, options: { readonly duplicates: boolean }): ParsedJson {
  return parseChecked(checkJson(bytes, options.duplicates));
}

/** The text of a scanned document; `exact` is true if `JSON.parse` loses nothing of it. */
interface CheckedJson {
  readonly text: string;
  readonly exact: boolean;
}

/** The first half of `decodeJson`: scans a document. Throws `JsonDecodeError`. */
export function checkJson(bytes: Buffer, duplicates: boolean): CheckedJson {
  const scan = scanJson(bytes, duplicates);
  if (!scan) throw new JsonDecodeError('exceeded max depth');
  const text = bytes.toString('utf8');
  checkEncoding(bytes, text);
  return { text, exact: !scan.lossy && !scan.maybeDuplicates };
}

/** The second half of `decodeJson`: parses a scanned document. Throws `JsonDecodeError`. */
export function parseChecked({ text, exact }: CheckedJson): ParsedJson {
  if (!exact) return parseJson(text);
  try {
    // JSON.parse returns a JSON value by definition, but its type is `any`.
    return { value: JSON.parse(text) as JsonValue, duplicateFields: [] };
  } catch {
    // Finds the same error again, with the message of a Go decoder.
    return parseJson(text);
  }
}
