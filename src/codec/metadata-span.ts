import { endOfString } from './scan-json.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const managers = Buffer.from('managedFields');

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
  let depth = 1;
  let managersAt = 0;
  for (let at = start + opening.length; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      const end = endOfString(json, at + 1);
      if (depth === 1 && json[end + 1] === colon) managersAt = isManagers(json, at, end) ? at - 1 : 0;
      at = end;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBracket || byte === closeBrace) {
      depth--;
      if (depth === 0) return { start, end: at + 1, managersAt };
    }
  }
  throw new RangeError('the metadata of an object does not end');
}

function isManagers(json: Buffer, at: number, end: number): boolean {
  if (end - at - 1 !== managers.length || json[at - 1] !== comma) return false;
  return json.compare(managers, 0, managers.length, at + 1, end) === 0;
}
