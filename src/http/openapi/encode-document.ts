import { performance } from 'node:perf_hooks';
import { nextTurn } from '../../async/next-turn.ts';
import {
  type DefinedSchema,
  definedName,
  extensionPrefix,
  openApiDefinition,
} from '../../scheme/open-api-definition.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { bytesOf, type DocumentPart, type DocumentPiece, KeptPieces } from './document-piece.ts';
import type { DocumentSource } from './document-source.ts';
import { mergedDescription, type RemoteDescription } from './remote-documents.ts';
import type { GroupVersionKind, OpenApiNames, PathItem } from './operation.ts';

/** How a document is written: in pieces, so that other requests are served between them. */
export interface DocumentFormat {
  readonly version: OpenApiStyle['version'];
  path(item: PathItem, style: OpenApiStyle): Buffer;
  definition(name: string, schema: OpenApiSchema): Buffer;
  /** A path of another server; absent: such paths are left out. */
  remotePath?(path: string, item: JsonObject): Buffer;
  /** The parts of the document in order. The pieces are sorted by name. */
  layOut(pieces: DocumentPieces, names: OpenApiNames): readonly DocumentPart[];
}

/** The pieces of a document. */
interface DocumentPieces {
  readonly paths: readonly DocumentPiece[];
  readonly definitions: readonly DocumentPiece[];
}

/** The sources of a document besides its own. */
export interface EncodingOptions {
  readonly remotes?: readonly RemoteDescription[];
  /** The pieces of the state before; gets those of this one. */
  readonly kept?: KeptPieces;
}

/** Encodes a document. Yields to other requests. */
export async function encodeDocument(
  source: DocumentSource,
  format: DocumentFormat,
  names: OpenApiNames,
  { remotes = [], kept = new KeptPieces() }: EncodingOptions = {},
): Promise<Buffer> {
  const style: OpenApiStyle = { version: format.version, identifiers: names.identifiers };
  const paths = new Map<string, DocumentPiece>();
  const definitions = new Map<string, DocumentPiece>();
  const found = new Map<string, DefinedSchema>();
  /** The definitions with which those of other servers are compared. */
  const known = new Map<string, OpenApiSchema>();
  const find = (schema: DefinedSchema): void => {
    const name = definedName(schema, names.identifiers);
    if (name !== undefined && !found.has(name)) found.set(name, schema);
  };
  await eachInTurn(source.sections(), ({ owner, key, paths: items }) => {
    const sections = kept.sectionsOf(owner);
    let section = sections.get(key);
    if (!section) sections.set(key, (section = encodedSection(items(), format, style)));
    for (const piece of section.paths) paths.set(piece.name, piece);
    for (const schema of section.schemas) find(schema);
  });
  // The map grows while it is read: definitions name others.
  await eachInTurn(found, ([name, schema]) => {
    const kinds = source.kinds.get(name);
    let definition = kept.definitions.get(schema);
    if (!definition || remotes.length > 0 || !areSame(definition.kinds, kinds)) {
      const { schema: own, parts } = openApiDefinition(schema, style);
      const complete = withKinds(own, kinds, style);
      if (remotes.length > 0) known.set(name, complete);
      definition = { piece: { name, bytes: format.definition(name, complete) }, parts, kinds };
      kept.definitions.set(schema, definition);
    }
    definitions.set(name, definition.piece);
    for (const part of definition.parts) find(part);
  });
  for (const remote of remotes) {
    const merged = mergedDescription(remote, known, `${extensionPrefix(style.identifiers)}group-version-kind`);
    await eachInTurn(merged.definitions, ([name, schema]) => {
      const bytes = encodedOrNone(() => format.definition(name, schema));
      if (bytes) definitions.set(name, { name, bytes });
    });
    await eachInTurn(merged.paths, ([path, item]) => {
      const bytes = paths.has(path) ? undefined : format.remotePath?.(path, item);
      if (bytes) paths.set(path, { name: path, bytes });
    });
  }
  await nextTurn();
  return joined(format.layOut({ paths: sorted(paths), definitions: sorted(definitions) }, names));
}

function encodedSection(
  items: Iterable<PathItem>,
  format: DocumentFormat,
  style: OpenApiStyle,
): { readonly paths: readonly DocumentPiece[]; readonly schemas: readonly DefinedSchema[] } {
  const paths: DocumentPiece[] = [];
  const schemas = new Set<DefinedSchema>();
  for (const item of items) {
    paths.push({ name: item.path, bytes: format.path(item, style) });
    for (const { body, responses } of item.operations) {
      if (body) schemas.add(body.schema);
      for (const { schema } of responses) if (schema !== 'text') schemas.add(schema);
    }
  }
  return { paths, schemas: [...schemas] };
}

function areSame(one: EncodedKinds, other: EncodedKinds): boolean {
  if (one?.length !== other?.length) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

type EncodedKinds = readonly GroupVersionKind[] | undefined;

/**
 * Joins the parts of a document. Its pieces are ranges of it afterwards, so that none is twice in
 * memory.
 */
async function joined(parts: readonly DocumentPart[]): Promise<Buffer> {
  const document = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + bytesOf(part).length, 0));
  let at = 0;
  await eachInTurn(parts, (part) => {
    const bytes = bytesOf(part);
    document.set(bytes, at);
    if ('bytes' in part) part.bytes = document.subarray(at, at + bytes.length);
    at += bytes.length;
  });
  return document;
}

/** Undefined for a definition of another server that is none. */
function encodedOrNone(encode: () => Buffer): Buffer | undefined {
  try {
    return encode();
  } catch {
    return undefined;
  }
}

/** The time of documents in one turn of the event loop, as of other formatting. */
const shareMs = 5;

async function eachInTurn<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let startMs = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - startMs < shareMs) continue;
    await nextTurn();
    startMs = performance.now();
  }
}

function sorted(pieces: ReadonlyMap<string, DocumentPiece>): readonly DocumentPiece[] {
  return [...pieces.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const typeFields: Readonly<Record<string, OpenApiSchema>> = {
  apiVersion: { description: 'Group and version of the schema of this object.', type: 'string' },
  kind: { description: 'What the object is. It does not change.', type: 'string' },
};

/** Adds to a definition the kinds that it describes, and the fields that name them. */
function withKinds(
  definition: OpenApiSchema,
  kinds: readonly GroupVersionKind[] | undefined,
  { identifiers }: OpenApiStyle,
): OpenApiSchema {
  if (!kinds) return definition;
  const properties = Object.entries({ ...definition.properties, ...typeFields }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    ...definition,
    properties: Object.fromEntries(properties),
    [`${extensionPrefix(identifiers)}group-version-kind`]: kinds,
  };
}
