import { endOfString } from './scan-json.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const opening = Buffer.from('"metadata":');
const managers = Buffer.from('managedFields');

/** The extent of metadata in the JSON of an object; offsets from `"metadata"`. */
export interface MetadataSpan {
  /** Offset after the closing brace. */
  readonly end: number;
  /** Offset of the comma before `"managedFields"` if that is the last of several fields, else 0. */
  readonly managersAt: number;
}

/**
 * Finds the end of metadata in JSON that this server has written, which starts with `"metadata"`.
 * Reads no byte behind it.
 */
export function metadataSpan(json: Buffer): MetadataSpan {
  let depth = 0;
  let managersAt = 0;
  for (let at = opening.length; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      const end = endOfString(json, at + 1);
      if (depth === 1 && json[end + 1] === colon) managersAt = isManagers(json, at, end) ? at - 1 : 0;
      at = end;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBracket || byte === closeBrace) {
      depth--;
      if (depth === 0) return { end: at + 1, managersAt };
    }
  }
  throw new RangeError('the metadata of an object does not end');
}

function isManagers(json: Buffer, at: number, end: number): boolean {
  if (end - at - 1 !== managers.length || json[at - 1] !== comma) return false;
  return json.compare(managers, 0, managers.length, at + 1, end) === 0;
}
