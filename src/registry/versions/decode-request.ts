import { encodeJson } from '../../codec/encode-json.ts';
import type {
  ResourceRequest,
  WriteRequest,
  AnyVersion,
  ServedVersion,
  StoredResource,
} from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { copyJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import { noErrors } from '../../status/all-errors.ts';
import { invalid } from '../../status/field-error.ts';
import { cutText, jsonText, shownValueLimit } from '../../status/shown-value.ts';
import { badRequest, invalidObject, type StatusError } from '../../status/status-error.ts';
import type { FieldValidation, RequestScope, WriteOptions } from '../definition/registry.ts';
import { keepVersionErrors } from './version-errors.ts';
import { pathOrder } from './order-paths.ts';
import { goTypeError } from '../../meta/go-value.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { undeterminableName } from '../definition/validate-metadata.ts';

/**
 * Decodes the body of a create or update into the storage version. Throws 400 if it cannot be
 * read as the kind. Returns a promise if work on a large object yields to other requests.
 */
export async function decodeBody(request: WriteRequest, version: ServedVersion, body: JsonObject): Promise<JsonObject> {
  const { resource, scope, options } = request;
  const start = performance.now();
  const refuse = (why: string): StatusError =>
    badRequest(
      `${version.kind} in version ${JSON.stringify(version.version)} cannot be handled as a ${version.kind}: ${why}`,
    );
  const { value, unknownFields } = decoded(version, withKind(version, body), ({ message }) => refuse(message));
  scope.recordObject?.(value, () => withDefaults(request, version, value));
  const problems = bodyProblems(request, body, unknownFields);
  reportFields(problems, options.fieldValidation, scope, refuse);
  await yieldIfLong(start);
  return toStorageVersion({ resource, scope }, version, value);
}

/**
 * Normalises a document to the schema of its version, as conversions require. Throws 422 for the
 * patch.
 */
export function readDocument(version: AnyVersion, document: JsonObject): JsonObject {
  return decoded(version, document, ({ message }) => patchRefused(document, message)).value;
}

/** The options for decoding a patched document. */
interface PatchedReading {
  /**
   * Problems found in the patch, such as duplicate fields; reported together with unknown fields.
   */
  readonly problems: readonly string[];
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  /** True if the document is a part of an object: absent fields stay absent. */
  readonly isPart: boolean;
  /**
   * Builds the refusal of an unreadable document; the default is 422 with the document in the
   * message.
   */
  readonly refusal?: ((error: FieldDecodeError) => StatusError) | undefined;
  /**
   * True for an apply, which checks unknown fields itself. Other requests drop them without a
   * report.
   */
  readonly ignoresUnknown?: boolean;
}

/**
 * Decodes a patched document from the version of the request, or the one that it names, into the
 * storage version. A patch may remove the kind of a built-in object: the URL names it. Throws 422
 * for an invalid document. Work on a large object yields to other requests.
 */
export async function decodePatched(
  resource: StoredResource,
  requested: ServedVersion,
  patched: JsonObject,
  { problems, scope, options, isPart, refusal, ignoresUnknown = false }: PatchedReading,
): Promise<JsonObject> {
  const start = performance.now();
  const refuse = (why: string): StatusError => patchRefused(patched, why);
  const { document, version } = keepType(requested, { resource, document: patched, name: scope.name, refuse });
  const { value, unknownFields } = decoded(version, document, refusal ?? (({ message }) => refuse(message)), isPart);
  if (ignoresUnknown) reportApplied(problems, options.fieldValidation, scope);
  else reportFields([...problems, ...fieldProblems(unknownFields, [])], options.fieldValidation, scope, refuse);
  await yieldIfLong(start);
  return toStorageVersion({ resource, scope }, version, value);
}

/** A 422 error for an invalid patched document, which is quoted as text, as in kube-apiserver. */
function patchRefused(document: JsonObject, why: string): StatusError {
  return invalidPatch(encodeJson(document), why);
}

/** 422 Invalid for a patch, or for the document that it makes. */
export function invalidPatch(patch: JsonValue, why: string): StatusError {
  return invalidObject({ group: '', resource: '' }, '', [invalid('patch', patch, why)]);
}

/** Sets default values, in place. `keepsNulls` as in `applyDefaults`. */
export function fillDefaults(request: ResourceRequest, object: JsonObject, keepsNulls = false): void {
  const { resource, scope } = request;
  applyDefaults(resource.storageVersion.schema, object, keepsNulls);
  resource.strategy.default?.(object, scope);
}

/** Returns a copy of a decoded object with its default values, in the version of the request. */
function withDefaults({ resource, scope }: ResourceRequest, version: ServedVersion, value: JsonObject): JsonObject {
  const object = copyJsonObject(value);
  applyDefaults(version.schema, object);
  if (version.schema === resource.storageVersion.schema) resource.strategy.default?.(object, scope);
  return object;
}

function decoded(
  version: AnyVersion,
  body: JsonObject,
  refuse: (error: FieldDecodeError) => StatusError,
  isPart = false,
) {
  try {
    return decodeObject(version.schema, body, { isPart });
  } catch (error) {
    if (error instanceof FieldDecodeError) throw refuse(error);
    throw error;
  }
}

/** Fills in `kind` and `apiVersion`, which a body may omit because the URL names them. */
function withKind(version: ServedVersion, body: JsonObject): JsonObject {
  const { kind, apiVersion } = version;
  return body['kind'] === kind && body['apiVersion'] === apiVersion ? body : { ...body, kind, apiVersion };
}

/**
 * Converts to the storage version. The result is decoded again, which restores field order and
 * fixed parts. Keeps the errors that only this version can show.
 */
async function toStorageVersion(
  { resource, scope }: ResourceRequest,
  version: ServedVersion,
  value: JsonObject,
): Promise<JsonObject> {
  if (version.stored) return value;
  const start = performance.now();
  // Defaults differ between versions (spec 9.3), so they are applied before the conversion.
  applyDefaults(version.schema, value);
  await yieldIfLong(start);
  const decodeStart = performance.now();
  const object = decodeObject(resource.storageVersion.schema, version.toStorage(value)).value;
  await yieldIfLong(decodeStart);
  keepVersionErrors(object, version.validate?.(value, scope) ?? noErrors);
  return object;
}

/**
 * The problems of a body in the order of its fields, as kube-apiserver reports them. In custom
 * objects, duplicate fields come before unknown fields.
 */
function bodyProblems(
  { resource, options: { duplicateFields = [] } }: WriteRequest,
  body: JsonObject,
  unknown: readonly string[],
): readonly string[] {
  if (resource.info.isCustom || unknown.length === 0 || duplicateFields.length === 0)
    return fieldProblems(unknown, duplicateFields);
  const isUnknown = new Set(unknown);
  const paths = [...new Set([...unknown, ...duplicateFields])].toSorted(pathOrder(body));
  return paths.flatMap((path) =>
    fieldProblems(isUnknown.has(path) ? [path] : [], duplicateFields.includes(path) ? [path] : []),
  );
}

/** The messages of strict decoding for duplicate and unknown fields. */
export function fieldProblems(unknown: readonly string[], duplicate: readonly string[]): readonly string[] {
  return [
    ...duplicate.map((path) => `duplicate field ${JSON.stringify(cutText(path))}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(cutText(path))}`),
  ];
}

/** Reports duplicate keys of an applied YAML configuration, with the messages of kube-apiserver. */
function reportApplied(problems: readonly string[], validation: FieldValidation, scope: RequestScope): void {
  const refuse = (): StatusError => {
    const why = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${problems.join('\n  ')}`;
    return badRequest(`error strict decoding YAML: ${why}`);
  };
  reportFields(problems, validation, scope, refuse);
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

/** A patched document, and the context of its refusals. */
interface PatchedDocument {
  readonly resource: StoredResource;
  readonly document: JsonObject;
  /** The name in the URL. */
  readonly name: string;
  /** Builds the 422 for the patch. */
  readonly refuse: (why: string) => StatusError;
}

/** A patched document with its kind, and the version in which it is written. */
interface TypedDocument {
  readonly document: JsonObject;
  readonly version: ServedVersion;
}

/**
 * Checks that a patch keeps the kind of the object, and returns the document with it: a patch of a
 * built-in kind may remove it, because the URL names it, and may name another version of the kind,
 * in which the document is then read. Throws the refusals of kube-apiserver: 400
 * without an apiVersion, because kube-apiserver finds no name in an object without a version, and
 * 422 otherwise.
 */
function keepType(version: ServedVersion, patched: PatchedDocument): TypedDocument {
  const { resource, document, name, refuse } = patched;
  const kind = typeText(document, 'kind', refuse);
  const apiVersion = typeText(document, 'apiVersion', refuse);
  if (apiVersion !== '' && !parseApiVersion(apiVersion)) {
    throw refuse(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (version.schema.structural) checkCustomType(version, patched, { kind, apiVersion });
  if ((kind === '' || kind === version.kind) && apiVersion === '') throw undeterminableName(name);
  const named = kind === '' ? { ...document, kind: version.kind } : document;
  if (named['kind'] === version.kind) {
    if (apiVersion === version.apiVersion) return { document: named, version };
    const other = servedVersionOf(resource, version.kind, apiVersion);
    if (other) return { document: named, version: other };
  }
  throw refuse(`kind and apiVersion must stay ${version.kind} and ${version.apiVersion}`);
}

/** Finds a version of a kind in all groups that serve its objects. */
function servedVersionOf(resource: StoredResource, kind: string, apiVersion: string): ServedVersion | undefined {
  const versions = resource.sharingStorage().flatMap((shared) => [...shared.versions.values()]);
  return versions.find((version) => version.kind === kind && version.apiVersion === apiVersion);
}

/** Returns `kind` or `apiVersion` of a document, '' if it is absent or null. */
function typeText(document: JsonObject, field: string, refuse: (why: string) => StatusError): string {
  const value = document[field] ?? '';
  if (typeof value === 'string') return value;
  throw refuse(`couldn't get version/kind; json parse error: ${goTypeError(field, value)}`);
}

/** An object of a custom kind names its kind and its version. */
function checkCustomType(
  { apiVersion, kind, version }: ServedVersion,
  { document, refuse }: PatchedDocument,
  sent: { readonly kind: string; readonly apiVersion: string },
): void {
  if (sent.kind === kind && sent.apiVersion === apiVersion) return;
  if (sent.kind === '') throw refuse(`Object 'Kind' is missing in '${jsonText(document, shownValueLimit)}'`);
  const [group = ''] = apiVersion.split('/');
  const errors = [
    ...(sent.kind === kind ? [] : [invalid('kind', sent.kind, `must be ${kind}`)]),
    ...(sent.apiVersion === apiVersion ? [] : [invalid('apiVersion', sent.apiVersion, `must be ${group}/${version}`)]),
  ];
  throw invalidObject({ group, resource: sent.kind }, nameOf(document), errors);
}
