import type { JsonObject } from '../../meta/json-value.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import type { DocumentPart, DocumentPiece } from './document-piece.ts';
import type { OpenApiNames, PathItem } from './operation.ts';

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
