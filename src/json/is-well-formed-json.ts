import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  JsonCursor,
  noToken,
  openBrace,
  openBracket,
  quote,
  scalar,
} from './json-cursor.ts';

/** A number or a word: scarce in objects, and short. */
const scalarPattern = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Reports whether bytes are one JSON object, without anything after it. It makes no values, so that
 * it costs a fraction of parsing. Bytes that are no UTF-8 pass.
 */
export function isWellFormedJson(bytes: Buffer): boolean {
  if (bytes[0] !== openBrace) return false;
  const reader: Reader = { cursor: new JsonCursor(bytes), text: bytes.toString('latin1'), unusualAt: -1 };
  reader.cursor.next();
  /** The closing tokens of the open objects and lists. */
  const closes: number[] = [closeBrace];
  let token = reader.cursor.next();
  let isFirst = true;
  for (;;) {
    const close = closes.at(-1);
    if (close === undefined) return token === noToken;
    // Here ends an object or a list, or begins the next of its values.
    if (token === close) {
      closes.pop();
      isFirst = false;
      token = reader.cursor.next();
      continue;
    }
    if (!isFirst) {
      if (token !== comma) return false;
      token = reader.cursor.next();
    }
    if (close === closeBrace) {
      if (token !== quote || !isString(reader) || reader.cursor.next() !== colon) return false;
      token = reader.cursor.next();
    }
    isFirst = token === openBrace || token === openBracket;
    if (isFirst) closes.push(token === openBrace ? closeBrace : closeBracket);
    else if (token === quote ? !isString(reader) : token !== scalar || !isScalar(reader)) return false;
    token = reader.cursor.next();
  }
}

/** Characters of strings that are part of an escape, or not allowed: backslash, controls. */
const unusual = /[^\x20-\x5b\x5d-\xff]/g;

interface Reader {
  readonly cursor: JsonCursor;
  /** The bytes, as one character each. */
  readonly text: string;
  /** The offset of an unusual character, which is the first one from the last string on. */
  unusualAt: number;
}

/** A string without an end is the last token, so that the object has no end either. */
function isString(reader: Reader): boolean {
  const { cursor, text } = reader;
  if (reader.unusualAt < cursor.start) {
    unusual.lastIndex = cursor.start;
    reader.unusualAt = unusual.test(text) ? unusual.lastIndex - 1 : Infinity;
  }
  return reader.unusualAt >= cursor.end || parses(text.slice(cursor.start, cursor.end));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isScalar({ text, cursor: { start, end } }: Reader): boolean {
  return scalarPattern.test(text.slice(start, end));
}
