import { memoize } from '../../meta/memoize.ts';
import type { DefinedSchema } from '../../scheme/open-api-definition.ts';
import { type GroupVersionKind, type OpenApiNames, type PathItem, pathMethods } from './operation.ts';
import { type JsonObject, isJsonObject } from '../../meta/json-value.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A path or a definition of a document. Its bytes may be a range of a whole document. */
export interface DocumentPiece {
  readonly name: string;
  bytes: Buffer;
}

/** A part of a document: a piece, or bytes between them. */
export type DocumentPart = DocumentPiece | Uint8Array;

/** The bytes of a part. */
export function bytesOf(part: DocumentPart): Uint8Array {
  return 'bytes' in part ? part.bytes : part;
}

/** The encoded paths of a section, and the schemas that they name. */
export interface EncodedSection {
  readonly paths: readonly DocumentPiece[];
  readonly schemas: readonly DefinedSchema[];
}

/** An encoded definition, and the schemas that it names. */
interface EncodedDefinition {
  readonly piece: DocumentPiece;
  readonly parts: readonly DefinedSchema[];
  readonly kinds: DescribedKinds | undefined;
}

/** The kinds that are objects of a definition, and the fields that selectors of them may name. */
export interface DescribedKinds {
  readonly kinds: readonly GroupVersionKind[];
  /** Empty for built-in kinds, as in kube-apiserver. */
  readonly selectable: readonly string[];
}

/**
 * The pieces of one document in one format. The next state of the document takes those that did not
 * change.
 */
export class CachedPieces {
  /** The sections of an owner by their keys. */
  readonly sectionsOf = memoize((_owner: object) => new Map<string, EncodedSection>());
  readonly definitions = new WeakMap<DefinedSchema, EncodedDefinition>();
}

/** How a document is written: in pieces, so that other requests are served between them. */
export interface DocumentFormat {
  readonly version: OpenApiStyle['version'];
  path(item: PathItem, style: OpenApiStyle): Buffer;
  definition(name: string, schema: OpenApiSchema): Buffer;
  /** A path of another server. May throw for one that is none. */
  remotePath(path: string, item: JsonObject): Buffer;
  /** The parts of the document in order. The pieces are sorted by name. */
  layOut(pieces: DocumentPieces, names: OpenApiNames): readonly DocumentPart[];
}

/** The pieces of a document. */
interface DocumentPieces {
  readonly paths: readonly DocumentPiece[];
  readonly definitions: readonly DocumentPiece[];
}

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
