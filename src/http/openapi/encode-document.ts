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
  /** Joins the pieces, which are sorted by name. */
  join(pieces: DocumentPieces, names: OpenApiNames): Buffer;
}

/** The pieces of a document. */
interface DocumentPieces {
  readonly paths: readonly Buffer[];
  readonly definitions: readonly Buffer[];
}

/** Encodes a document. Yields to other requests. */
export async function encodeDocument(
  source: DocumentSource,
  format: DocumentFormat,
  names: OpenApiNames,
  remotes: readonly RemoteDescription[] = [],
): Promise<Buffer> {
  const style: OpenApiStyle = { version: format.version, identifiers: names.identifiers };
  const paths = new Map<string, Buffer>();
  const definitions = new Map<string, Buffer>();
  const found = new Map<string, DefinedSchema>();
  /** The definitions with which those of other servers are compared. */
  const known = new Map<string, OpenApiSchema>();
  const find = (schema: DefinedSchema | 'text'): void => {
    const name = schema === 'text' ? undefined : definedName(schema, names.identifiers);
    if (name !== undefined && schema !== 'text' && !found.has(name)) found.set(name, schema);
  };
  await eachInTurn(source.paths(), (item) => {
    paths.set(item.path, format.path(item, style));
    for (const { body, responses } of item.operations) {
      if (body) find(body.schema);
      for (const { schema } of responses) find(schema);
    }
  });
  // The map grows while it is read: definitions name others.
  await eachInTurn(found, ([name, schema]) => {
    const { schema: definition, parts } = openApiDefinition(schema, style);
    const complete = withKinds(definition, source.kinds.get(name), style);
    definitions.set(name, format.definition(name, complete));
    if (remotes.length > 0) known.set(name, complete);
    for (const part of parts) find(part);
  });
  for (const remote of remotes) {
    const merged = mergedDescription(remote, known, `${extensionPrefix(style.identifiers)}group-version-kind`);
    await eachInTurn(merged.definitions, ([name, schema]) => {
      const piece = encodedOrNone(() => format.definition(name, schema));
      if (piece) definitions.set(name, piece);
    });
    await eachInTurn(merged.paths, ([path, item]) => {
      const piece = paths.has(path) ? undefined : format.remotePath?.(path, item);
      if (piece) paths.set(path, piece);
    });
  }
  await nextTurn();
  return format.join({ paths: sorted(paths), definitions: sorted(definitions) }, names);
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

function sorted(pieces: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  return [...pieces].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, piece]) => piece);
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
