import { closeBrace, colon, comma, JsonCursor, noToken, quote } from '../json/json-cursor.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { checkJson, parseChecked } from './decode-json.ts';

const managers = Buffer.from('"managedFields"');

/** The longest beginning of an object: its group and version have 317 characters at most. */
const longestType = 512;
const type = /^\{"kind":"(?:[^"\\]|\\.)*","apiVersion":"(?:[^"\\]|\\.)*",/;
const opening = '"metadata":{';

/** The place of metadata and of managed fields in the JSON of one object, which never changes. */
export class MetadataPlace {
  readonly #start: number;
  readonly #end: number;
  /** Offset of the comma before `"managedFields"` if that is the last of several fields, else 0. */
  readonly #managersAt: number;
  /** True once it is known that `JSON.parse` loses nothing of the rest. */
  #isExact = false;
  /** True once it is known that the object lacks nothing of its kind. */
  #isComplete = false;

  constructor(start: number, end: number, managersAt: number) {
    this.#start = start;
    this.#end = end;
    this.#managersAt = managersAt;
  }

  /** Returns `"metadata":{...}`, which is not copied. */
  metadataIn(json: Buffer): Buffer {
    return json.subarray(this.#start, this.#end);
  }

  /** Returns the JSON without managed fields that come last in metadata; others stay. */
  withoutManagers(json: Buffer): Buffer {
    if (this.#managersAt === 0) return json;
    return Buffer.concat([json.subarray(0, this.#managersAt), json.subarray(this.#end - 1)]);
  }

  /**
   * Decodes the JSON without its managed fields, which are often half of the bytes. The bytes are
   * checked the first time. `complete` adds what the object lacks, and returns its argument if that
   * is nothing; it is not asked again then.
   */
  decodeWithoutManagers(json: Buffer, complete: (object: JsonObject) => JsonObject): JsonObject {
    const checked = this.#isExact ? { text: this.#textOf(json), exact: true } : this.#check(json);
    const { value } = parseChecked(checked);
    const object = isJsonObject(value) ? value : {};
    if (this.#isComplete) return object;
    const completed = complete(object);
    this.#isComplete = completed === object;
    return completed;
  }

  #check(json: Buffer) {
    const checked = checkJson(this.withoutManagers(json), false);
    this.#isExact = checked.exact;
    return checked;
  }

  #textOf(json: Buffer): string {
    if (this.#managersAt === 0) return json.toString('utf8');
    return json.toString('utf8', 0, this.#managersAt) + json.toString('utf8', this.#end - 1);
  }
}

/**
 * Returns the offset after kind and apiVersion in JSON that begins with them, as the JSON of
 * objects does; else the offset of its first field.
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
export function findMetadata(json: Buffer): MetadataPlace | undefined {
  const beginning = json.toString('latin1', 0, longestType);
  const start = typeEndIn(beginning);
  if (start === undefined || !beginning.startsWith(opening, start)) return undefined;
  const cursor = new JsonCursor(json, start + opening.length);
  let managersAt = 0;
  for (let token = cursor.next(); token !== noToken; token = cursor.next()) {
    if (token === closeBrace) return new MetadataPlace(start, cursor.end, managersAt);
    if (token === quote) managersAt = isManagers(json, cursor) ? cursor.start - 1 : 0;
    else if (token === colon) cursor.skipValue();
  }
  throw new RangeError('the metadata of an object does not end');
}

function isManagers(json: Buffer, { start, end }: JsonCursor): boolean {
  if (end - start !== managers.length || json[start - 1] !== comma) return false;
  return json.compare(managers, 0, managers.length, start, end) === 0;
}
