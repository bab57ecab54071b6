import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { bytesOf, type DocumentPart } from './document-piece.ts';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { pathMethods } from './operation.ts';

/** Encodes a message. */
export function encoded<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Buffer {
  return Buffer.from(toBinary(schema, create(schema, message)));
}

/** One embedded message, whose fields are in the pieces. */
export function embedded(number: number, pieces: readonly DocumentPart[]): readonly DocumentPart[] {
  const length = pieces.reduce((sum, piece) => sum + bytesOf(piece).length, 0);
  return [new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(length).finish(), ...pieces];
}

/**
 * Returns a path of another server with the parameters and the operations alone, whose lists may be
 * missing there. Its values can be anything: encoding it may throw.
 */
export function completeOperations(item: JsonObject, lists: JsonObject): JsonObject {
  const entries = Object.entries(item).flatMap(([key, value]) => {
    if (key === 'parameters') return [[key, value]];
    return pathMethods.has(key) && isJsonObject(value) ? [[key, { tags: [], responses: {}, ...lists, ...value }]] : [];
  });
  return Object.fromEntries(entries);
}

/** The extensions of an object, whose names begin with `x-`. */
export function extensionsOf(object: object) {
  const extensions = Object.entries(object).filter(([key]) => key.startsWith('x-'));
  return extensions.map(([name, value]) => ({ name, value: { yaml: yamlOf(value) } }));
}

/** Encodes a value as YAML. JSON is valid YAML, but some clients keep the quotes of a string. */
export function yamlOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
