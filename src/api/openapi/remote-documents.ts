import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { identityOfValue } from '../../meta/read-field.ts';
import type { OpenApiSchema } from '../../scheme/open-api-schema.ts';
import type { RemoteApiService } from '../api-services/api-service.ts';

/** The description of the version of a server, as in a document of OpenAPI. */
export interface RemoteDescription {
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

/** The documents of the servers behind this one. */
export interface RemoteDocuments {
  /**
   * The descriptions in version 2, in the order in which they are merged. The same array until one
   * changes. Waits for servers that were not asked yet, for a short time.
   */
  version2(): Promise<readonly RemoteDescription[]>;
  /** The addresses of documents of version 3 by their paths below `/openapi/v3/`. */
  version3(): Promise<ReadonlyMap<string, string>>;
  /**
   * The descriptions of servers that have version 2 alone, by the paths of their documents below
   * `/openapi/v3/`. As of the last call of `version3`.
   */
  version2Only(): ReadonlyMap<string, RemoteDescription>;
  /** The APIService whose server has the document of version 3 at a path. */
  serverOf(path: string): RemoteApiService | undefined;
}

const noDescriptions: readonly RemoteDescription[] = Object.freeze([]);

/** The documents of a server that has no others behind it. */
export const noRemotes: RemoteDocuments = Object.freeze({
  version2: () => Promise.resolve(noDescriptions),
  version3: () => Promise.resolve(new Map<string, string>()),
  version2Only: () => new Map<string, RemoteDescription>(),
  serverOf: () => undefined,
});

const reference = '#/definitions/';

/**
 * Returns a description as it is added to a document: its definitions under names that the document
 * does not have for others. A definition that differs in its kinds alone joins the known one. Adds
 * its definitions to the known ones. `kindsKey` is the name of the extension with the kinds.
 */
export function mergedDescription(
  { paths, definitions }: RemoteDescription,
  known: Map<string, OpenApiSchema>,
  kindsKey: `x-${string}`,
): { readonly paths: ReadonlyMap<string, JsonObject>; readonly definitions: ReadonlyMap<string, OpenApiSchema> } {
  const renaming = new Map<string, string>();
  const isTaken = (name: string): boolean => known.has(name) || definitions.has(name);
  for (const [name, definition] of definitions) {
    const other = known.get(name);
    if (other && !isSameBut(kindsKey, other, definition)) renaming.set(name, freeName(name, isTaken));
  }
  const added = new Map<string, OpenApiSchema>();
  for (const [name, definition] of definitions) {
    const shown = renaming.get(name) ?? name;
    const other = known.get(shown);
    // Another server has written it: its values can be anything, which encoders allow for.
    const renamed = withNewNames(definition, renaming) as OpenApiSchema;
    const next = other ? { ...other, ...allKinds(kindsKey, other, renamed) } : renamed;
    known.set(shown, next);
    added.set(shown, next);
  }
  const renamedPaths = new Map([...paths].map(([path, item]) => [path, withNewNames(item, renaming)]));
  return { paths: renamedPaths, definitions: added };
}

/** Compares definitions without their kinds. */
function isSameBut(kindsKey: `x-${string}`, one: OpenApiSchema, other: JsonObject): boolean {
  const without = (schema: object): string => JSON.stringify({ ...schema, [kindsKey]: undefined });
  return (
    identityOfValue(JSON.parse(without(one)) as JsonValue) === identityOfValue(JSON.parse(without(other)) as JsonValue)
  );
}

/** The kinds of two definitions. */
function allKinds(kindsKey: `x-${string}`, one: OpenApiSchema, other: OpenApiSchema): OpenApiSchema {
  const kinds = [one[kindsKey], other[kindsKey]].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  if (kinds.length === 0) return {};
  return { [kindsKey]: [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()] };
}

/** Returns a copy of a part of a document with the new names of definitions. */
function withNewNames(part: JsonObject, renaming: ReadonlyMap<string, string>): JsonObject {
  if (renaming.size === 0) return part;
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(reference)) return value;
    const name = value.slice(reference.length);
    return `${reference}${renaming.get(name) ?? name}`;
  });
  // A copy of a JSON object.
  return JSON.parse(text) as JsonObject;
}

/** The names of definitions that a part of a document refers to. */
export function referredTo(part: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(part, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(reference)) {
      names.add(value.slice(reference.length));
    }
    return value;
  });
  return names;
}

/** A name for a definition that differs from a known one of the same name: `Thing_v2`. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const candidate = `${name}_v${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
