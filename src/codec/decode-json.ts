import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../meta/json-value.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { scanJson } from './scan-json.ts';

/** UTF-8, UTF-16 and UTF-32 all betray themselves in the first bytes; JSON between machines has none (RFC 8259, 8.1). */
const byteOrderMark = [0xef, 0xbb, 0xbf];

function checkEncoding(bytes: Buffer): void {
  if (byteOrderMark.every((byte, i) => bytes[i] === byte)) {
    throw new JsonDecodeError("invalid character '\\ufeff' looking for beginning of value");
  }
  if (!isUtf8(bytes)) throw new JsonDecodeError('invalid UTF-8 in JSON document');
}

/**
 * Reads a JSON document. Ordinary documents cost one scan of the bytes and a `JSON.parse`; a slower parser reads those
 * in which `JSON.parse` would lose something. With `duplicates`, the paths of repeated keys are collected
 * (`spec.x`, `spec.rules[0].host`); without, the last of them wins in silence. Throws `JsonDecodeError`.
 */
export function decodeJson(bytes: Buffer, options: { readonly duplicates: boolean }): ParsedJson {
  checkEncoding(bytes);
  const { lossy, maybeDuplicates } = scanJson(bytes);
  const text = bytes.toString('utf8');
  if (lossy || (options.duplicates && maybeDuplicates)) return parseJson(text);
  try {
    // JSON.parse gives a JSON value by definition; it can only not say so.
    return { value: JSON.parse(text) as JsonValue, duplicateFields: [] };
  } catch {
    // Finds the same error again, and says it in words that clients know.
    return parseJson(text);
  }
}
