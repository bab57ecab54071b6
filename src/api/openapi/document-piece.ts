import { memoize } from '../../meta/memoize.ts';
import type { DefinedSchema } from '../../scheme/open-api-definition.ts';
import type { GroupVersionKind } from './operation.ts';

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
  readonly kinds: readonly GroupVersionKind[] | undefined;
}

/**
 * The pieces of one document in one format. The next state of the document takes those that did not
 * change.
 */
export class KeptPieces {
  /** The sections of an owner by their keys. */
  readonly sectionsOf = memoize((_owner: object) => new Map<string, EncodedSection>());
  readonly definitions = new WeakMap<DefinedSchema, EncodedDefinition>();
}
