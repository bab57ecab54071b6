import { performance } from 'node:perf_hooks';
import { sortYielding } from '../../async/sort-yielding.ts';
import { nextTurn } from '../../async/yield-if-long.ts';
import { largeBuffer } from '../../memory/large-buffer.ts';
import { SharedBuffers } from '../../memory/shared-buffers.ts';
import {
  type DefinedSchema,
  definedName,
  extensionPrefix,
  openApiDefinition,
  typeFields,
} from '../../scheme/open-api-definition.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import {
  type DescribedKinds,
  type DocumentFormat,
  bytesOf,
  type DocumentPart,
  type DocumentPiece,
  type EncodedSection,
  CachedPieces,
} from './document-piece.ts';
import type { DocumentSource } from './document-source.ts';
import { mergedDescription, type RemoteDescription } from './remote-documents.ts';
import type { GroupVersionKind, OpenApiNames, PathItem } from './operation.ts';

/** The sources of a document besides its own. */
export interface EncodingOptions {
  readonly remotes?: readonly RemoteDescription[];
  /** The pieces of the previous state; the pieces of this state are added. */
  readonly kept?: CachedPieces;
}

/** Encodes a document. Yields to other requests. */
export async function encodeDocument(
  source: DocumentSource,
  format: DocumentFormat,
  names: OpenApiNames,
  { remotes = [], kept = new CachedPieces() }: EncodingOptions = {},
): Promise<Buffer> {
  const style: OpenApiStyle = {
    version: format.version,
    identifiers: names.identifiers,
    ...(names.fieldsRelease === undefined ? {} : { release: names.fieldsRelease }),
  };
  const paths = new Map<string, DocumentPiece>();
  const definitions = new Map<string, DocumentPiece>();
  const found = new Map<string, DefinedSchema>();
  /** The definitions to compare with the definitions of other servers. */
  const known = new Map<string, OpenApiSchema>();
  const find = (schema: DefinedSchema): void => {
    const name = definedName(schema, names.identifiers);
    if (name !== undefined && !found.has(name)) found.set(name, schema);
  };
  // Many small buffers, which are needed until the document is joined.
  const buffers = new SharedBuffers();
  const kindsOf = await kindsByName(source, names);
  await eachInTurn(source.sections(), ({ owner, key, paths: items }) => {
    const sections = kept.sectionsOf(owner);
    let section = sections.get(key);
    if (!section) {
      sections.set(key, (section = encodedSection(items(), format, style)));
      for (const piece of section.paths) piece.bytes = buffers.copy(piece.bytes);
    }
    for (const piece of section.paths) paths.set(piece.name, piece);
    for (const schema of section.schemas) find(schema);
  });
  // The map grows while it is read: definitions name others.
  await eachInTurn(found, ([name, schema]) => {
    const kinds = kindsOf.get(name);
    let definition = kept.definitions.get(schema);
    if (!definition || remotes.length > 0 || !areSame(definition.kinds, kinds)) {
      const { schema: own, parts } = openApiDefinition(schema, style);
      const complete = withKinds(own, kinds, style);
      if (remotes.length > 0) known.set(name, complete);
      const bytes = buffers.copy(format.definition(name, complete));
      definition = { piece: { name, bytes }, parts, kinds };
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
      const bytes = paths.has(path) ? undefined : encodedOrNone(() => format.remotePath(path, item));
      if (bytes) paths.set(path, { name: path, bytes });
    });
  }
  const sorted = { paths: await sortedYielding(paths), definitions: await sortedYielding(definitions) };
  await nextTurn();
  return joined(format.layOut(sorted, names));
}

/** Encodes paths one by one. */
function encodedSection(
  items: Iterable<PathItem>,
  format: Pick<DocumentFormat, 'path'>,
  style: OpenApiStyle,
): EncodedSection {
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

/** The kinds that are objects of each definition. */
async function kindsByName(
  source: DocumentSource,
  { identifiers }: OpenApiNames,
): Promise<ReadonlyMap<string, DescribedKinds>> {
  const described = new Map<string, { kinds: GroupVersionKind[]; selectable: readonly string[] }>();
  const known = new Set<string>();
  await eachInTurn(source.kinds(), ([schema, kind, selectable = []]) => {
    const name = definedName(schema, identifiers);
    if (name === undefined) return;
    const key = `${name} ${kind.group} ${kind.version} ${kind.kind}`;
    if (known.has(key)) return;
    known.add(key);
    const found = described.get(name);
    if (found) found.kinds.push(kind);
    else described.set(name, { kinds: [kind], selectable });
  });
  return described;
}

function areSame(one: EncodedKinds, other: EncodedKinds): boolean {
  if (one?.kinds.length !== other?.kinds.length) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

type EncodedKinds = DescribedKinds | undefined;

/**
 * Joins the parts of a document. Its pieces are ranges of it afterwards, so that none is twice in
 * memory.
 */
async function joined(parts: readonly DocumentPart[]): Promise<Buffer> {
  let length = 0;
  await eachInTurn(parts, (part) => {
    length += bytesOf(part).length;
  });
  const document = largeBuffer(length);
  let at = 0;
  await eachInTurn(parts, (part) => {
    const bytes = bytesOf(part);
    document.set(bytes, at);
    if ('bytes' in part) part.bytes = document.subarray(at, at + bytes.length);
    at += bytes.length;
  });
  return document;
}

/** The encoded part; undefined for an invalid path or definition of another server. */
function encodedOrNone(encode: () => Buffer): Buffer | undefined {
  try {
    return encode();
  } catch {
    return undefined;
  }
}

/** The time of documents in one turn of the event loop, as of other formatting. */
const shareMs = 5;

/** Makes the pause between items: it lasts until the next turn if they have used up their share. */
function restOfShare(): () => Promise<void> | undefined {
  let startMs = performance.now();
  return () =>
    performance.now() - startMs < shareMs ? undefined : nextTurn().then(() => void (startMs = performance.now()));
}

async function eachInTurn<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const rest = restOfShare();
  for (const item of items) {
    work(item);
    const turn = rest();
    if (turn) await turn;
  }
}

function sortedYielding(pieces: ReadonlyMap<string, DocumentPiece>): Promise<readonly DocumentPiece[]> {
  return sortYielding([...pieces.values()], (a, b) => (a.name < b.name ? -1 : 1), restOfShare());
}

/** Adds to a definition the kinds that it describes, and the fields that name them. */
function withKinds(
  definition: OpenApiSchema,
  described: DescribedKinds | undefined,
  { identifiers }: OpenApiStyle,
): OpenApiSchema {
  if (!described) return definition;
  const { properties } = definition;
  const { kinds, selectable } = described;
  const prefix = extensionPrefix(identifiers);
  const fields = selectable.map((fieldPath) => ({ fieldPath }));
  return {
    ...definition,
    // A kind without declared fields may have any: with these it would have no others.
    ...(properties && !isBare(definition) ? { properties: sortedByName({ ...properties, ...typeFields }) } : {}),
    [`${prefix}group-version-kind`]: kinds,
    ...(fields.length > 0 ? { [`${prefix}selectable-fields`]: fields } : {}),
  };
}

/** Reports whether a kind lacks `kind` and `apiVersion`, as watch events do. */
function isBare({ properties }: OpenApiSchema): boolean {
  return properties?.['object'] !== undefined && properties['metadata'] === undefined;
}

function sortedByName(properties: NonNullable<OpenApiSchema['properties']>): NonNullable<OpenApiSchema['properties']> {
  return Object.fromEntries(Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
