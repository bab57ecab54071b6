import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { roomAfter } from '../meta/known-json.ts';
import { encodeYaml } from './encode-yaml.ts';

/** The approximate size of a piece in characters of JSON: some 2 ms of work. */
const usualPieceSize = 4 * 1024;

/**
 * Encodes a value exactly as `encodeYaml` does, in lazily created pieces, because a megabyte takes
 * most of a second. A string is never divided.
 */
export function* yamlPieces(value: JsonValue, pieceSize = usualPieceSize): Generator<string, void, undefined> {
  if (isLarge(value, pieceSize)) yield* blockPieces(value, '', pieceSize);
  else yield encodeYaml(value);
}

type Container = JsonObject | JsonValue[];

/** True if a value is divided: it has entries, and is larger than a piece. */
function isLarge(value: JsonValue | undefined, pieceSize: number): value is Container {
  return typeof value === 'object' && value !== null && roomAfter(value, pieceSize) < 0 && entriesIn(value) > 0;
}

function entriesIn(container: Container): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function* blockPieces(container: Container, indent: string, pieceSize: number): Generator<string, void, undefined> {
  if (Array.isArray(container)) yield* sequencePieces(container, indent, pieceSize);
  else yield* mappingPieces(container, indent, pieceSize);
}

function* mappingPieces(mapping: JsonObject, indent: string, pieceSize: number): Generator<string, void, undefined> {
  let small: [string, JsonValue][] = [];
  let room = pieceSize;
  const taken = (): string => {
    const text = small.length > 0 ? mappingAt(Object.fromEntries(small), indent) : '';
    small = [];
    room = pieceSize;
    return text;
  };
  for (const key of Object.keys(mapping)) {
    const value = mapping[key];
    if (value === undefined) continue;
    const line = isLarge(value, pieceSize) ? keyLine(key, indent) : undefined;
    if (line !== undefined && isLarge(value, pieceSize)) {
      yield taken() + line;
      // Sequences are not indented under their key.
      yield* blockPieces(value, Array.isArray(value) ? indent : `${indent}  `, pieceSize);
      continue;
    }
    small.push([key, value]);
    room = roomAfter(value, room - key.length - 4);
    if (room < 0) yield taken();
  }
  yield taken();
}

/**
 * Encodes a mapping at an indentation. A nested mapping is encoded as a sequence item: inside
 * another collection a string such as `...` needs no quotes.
 */
function mappingAt(mapping: JsonObject, indent: string): string {
  if (indent === '') return encodeYaml(mapping);
  return indented(`  ${encodeYaml([mapping]).slice(2)}`, indent.slice(2));
}

/**
 * Returns the line of a key whose value starts on the next line; undefined if the key is written in
 * another form.
 */
function keyLine(key: string, indent: string): string | undefined {
  const text = mappingAt({ [key]: { a: 1 } }, indent);
  const value = `${indent}  a: 1\n`;
  return text.endsWith(`:\n${value}`) && !text.startsWith(`${indent}? `) ? text.slice(0, -value.length) : undefined;
}

function* sequencePieces(
  sequence: readonly JsonValue[],
  indent: string,
  pieceSize: number,
): Generator<string, void, undefined> {
  let small: JsonValue[] = [];
  let room = pieceSize;
  const taken = (): string => {
    const text = small.length > 0 ? indented(encodeYaml(small), indent) : '';
    small = [];
    room = pieceSize;
    return text;
  };
  for (const item of sequence) {
    if (isLarge(item, pieceSize)) {
      yield taken();
      yield* itemPieces(item, indent, pieceSize);
      continue;
    }
    small.push(item);
    room = roomAfter(item, room);
    if (room < 0) yield taken();
  }
  yield taken();
}

/** Yields a large item of a sequence. A dash replaces the indentation of its first line. */
function* itemPieces(item: Container, indent: string, pieceSize: number): Generator<string, void, undefined> {
  let first = true;
  for (const piece of blockPieces(item, `${indent}  `, pieceSize)) {
    if (piece === '') continue;
    yield first ? `${indent}- ${piece.slice(indent.length + 2)}` : piece;
    first = false;
  }
}

/** Indents every line that is not empty. Only a line feed ends a line. */
function indented(text: string, indent: string): string {
  return indent === '' ? text : text.replace(/(^|\n)(?=[^\n])/g, `$1${indent}`);
}
