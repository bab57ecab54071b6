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
} from '../json/json-cursor.ts';

const managers = Buffer.from('"managedFields"');

/** The longest beginning of an object: its group and version have 317 characters at most. */
const longestType = 512;
const type = /^\{"kind":"(?:[^"\\]|\\.)*","apiVersion":"(?:[^"\\]|\\.)*",/;
const opening = '"metadata":{';

/** The place of metadata in the JSON of an object, as offsets. */
export interface MetadataSpan {
  /** Offset of `"metadata"`. */
  readonly start: number;
  /** Offset after the closing brace. */
  readonly end: number;
  /** Offset of the comma before `"managedFields"` if that is the last of several fields, else 0. */
  readonly managersAt: number;
}

/**
 * Returns the offset after kind and apiVersion in JSON that begins with them, as that of objects
 * does; else that of its first field.
 */
export function typeEnd(json: Buffer): number {
  return typeEndIn(json.toString('latin1', 0, longestType)) ?? 1;
}

function typeEndIn(beginning: string): number | undefined {
  return type.exec(beginning)?.[0].length;
}

/**
 * Finds metadata in JSON that this server has written; undefined if it does not follow kind and
 * apiVersion. Reads no byte behind it.
 */
export function metadataSpan(json: Buffer): MetadataSpan | undefined {
  const beginning = json.toString('latin1', 0, longestType);
  const start = typeEndIn(beginning);
  if (start === undefined || !beginning.startsWith(opening, start)) return undefined;
  const cursor = new JsonCursor(json, start + opening.length);
  let [depth, managersAt, keyStart, keyEnd] = [1, 0, 0, 0];
  for (let token = cursor.next(); token !== noToken; token = cursor.next()) {
    if (token === quote) [keyStart, keyEnd] = [cursor.start, cursor.end];
    else if (token === colon && depth === 1) managersAt = isManagers(json, keyStart, keyEnd) ? keyStart - 1 : 0;
    else if (token === openBrace || token === openBracket) depth++;
    else if ((token === closeBrace || token === closeBracket) && --depth === 0) {
      return { start, end: cursor.end, managersAt };
    }
  }
  throw new RangeError('the metadata of an object does not end');
}

function isManagers(json: Buffer, start: number, end: number): boolean {
  if (end - start !== managers.length || json[start - 1] !== comma) return false;
  return json.compare(managers, 0, managers.length, start, end) === 0;
}
