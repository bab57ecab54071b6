import type { ResourceRequest, WriteRequest } from './resource-request.ts';
import { performance } from 'node:perf_hooks';
import type { JsonObject } from '../meta/json-value.ts';
import { continueAfter } from '../async/next-turn.ts';
import { applyDefaults } from '../scheme/apply-defaults.ts';
import { DecodeError } from '../scheme/decode-error.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import { invalid } from '../status/field-error.ts';
import { cutText, jsonText, shownValueLimit } from '../status/shown-value.ts';
import { badRequest, invalidObject, type StatusError } from '../status/status-error.ts';
import type { FieldValidation, RequestScope, WriteOptions } from './registry.ts';
import type { ServedVersion, StoredResource } from './stored-resource.ts';

/**
 * Reads the body of a create or an update into the storage version. Throws 400 for what cannot be read as the kind. A
 * promise where a large object gives way to other requests.
 */
export function decodeBody(
  request: WriteRequest,
  version: ServedVersion,
  body: JsonObject,
): JsonObject | Promise<JsonObject> {
  const { resource, scope, options } = request;
  const start = performance.now();
  const refuse = (why: string): StatusError =>
    badRequest(
      `${version.kind} in version ${JSON.stringify(version.version)} cannot be handled as a ${version.kind}: ${why}`,
    );
  const { value, unknownFields } = decoded(version, withKind(version, body), ({ message }) => refuse(message));
  const problems = fieldProblems(unknownFields, options.duplicateFields ?? []);
  reportFields(problems, options.fieldValidation, scope, refuse);
  return continueAfter(start, () => toStorageVersion(resource, version, value));
}

/** A document in the form of its version, as it has to be for a conversion. Throws 422 on the patch. */
export function readDocument(version: ServedVersion, document: JsonObject): JsonObject {
  return decoded(version, document, ({ message }) => patchRefused(document, message)).value;
}

/** How a patched document is read. */
interface PatchedReading {
  /** What is odd about the patch itself. */
  readonly problems: readonly string[];
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  /** Whether it is a part of the document: fields that it leaves out stay away. */
  readonly isPart: boolean;
  /** How a document is refused that cannot be read; by default, with the whole of it. */
  readonly refusal?: ((error: DecodeError) => StatusError) | undefined;
}

/**
 * Reads a patched document, in the version of the request, into the storage version. Throws 422 on the patch. A promise
 * where a large object gives way to other requests.
 */
export function decodePatched(
  resource: StoredResource,
  version: ServedVersion,
  document: JsonObject,
  { problems, scope, options, isPart, refusal }: PatchedReading,
): JsonObject | Promise<JsonObject> {
  const start = performance.now();
  const refuse = (why: string): StatusError => patchRefused(document, why);
  if (document['kind'] !== version.kind || document['apiVersion'] !== version.apiVersion) {
    throw refuse(`kind and apiVersion must stay ${version.kind} and ${version.apiVersion}`);
  }
  const { value, unknownFields } = decoded(version, document, refusal ?? (({ message }) => refuse(message)), isPart);
  reportFields([...problems, ...fieldProblems(unknownFields, [])], options.fieldValidation, scope, refuse);
  return continueAfter(start, () => toStorageVersion(resource, version, value));
}

function patchRefused(document: JsonObject, why: string): StatusError {
  return invalidPatch(jsonText(document, shownValueLimit), why);
}

/** 422 on a patch, as it is shown. */
export function invalidPatch(shown: string, why: string): StatusError {
  return invalidObject({ group: '', resource: '' }, '', [invalid('patch', shown, why)]);
}

/** Fills in what clients may leave out, in place. */
export function fillDefaults(request: ResourceRequest, object: JsonObject): void {
  const { resource, scope } = request;
  applyDefaults(resource.storageVersion.schema, object);
  resource.strategy.default?.(object, scope);
}

function decoded(
  version: ServedVersion,
  body: JsonObject,
  refuse: (error: DecodeError) => StatusError,
  isPart = false,
) {
  try {
    return decodeObject(version.schema, body, { isPart });
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error);
    throw error;
  }
}

/** A body may leave out what the path says already. */
function withKind(version: ServedVersion, body: JsonObject): JsonObject {
  const { kind, apiVersion } = version;
  return body['kind'] === kind && body['apiVersion'] === apiVersion ? body : { ...body, kind, apiVersion };
}

/** Another version's document is read again, so that it gets the order and the fixed parts of the storage version. */
function toStorageVersion(
  resource: StoredResource,
  version: ServedVersion,
  value: JsonObject,
): JsonObject | Promise<JsonObject> {
  if (version.stored) return value;
  const start = performance.now();
  // Versions differ in what they fill in (spec 9.3), so each does it before its fields become another's.
  applyDefaults(version.schema, value);
  return continueAfter(start, () => decodeObject(resource.storageVersion.schema, version.toStorage(value)).value);
}

/** How strict decoding names fields that nobody knows and keys that stand twice. */
export function fieldProblems(unknown: readonly string[], duplicate: readonly string[]): readonly string[] {
  return [
    ...duplicate.map((path) => `duplicate field ${JSON.stringify(cutText(path))}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(cutText(path))}`),
  ];
}

function reportFields(
  problems: readonly string[],
  validation: FieldValidation,
  scope: RequestScope,
  refuse: (why: string) => StatusError,
): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') throw refuse(`strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) scope.warn(problem);
}
