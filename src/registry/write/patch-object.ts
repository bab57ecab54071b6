import type { WriteRequest, ServedVersion } from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { unknownMembers } from '../../patch/json-patch-operation.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { metadataOf } from '../../meta/object-meta.ts';
import { PatchError, type PatchErrorKind } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch, takeWithoutDirectives } from '../../patch/strategic-merge-patch.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import { applyPatch } from './apply-patch.ts';
import { runUpdateLoop } from './update-loop.ts';
import { checkValues } from './check-values.ts';
import type { TrackOwnership } from './track-ownership.ts';
import { conversionProblem } from '../versions/conversion-problem.ts';
import { decodePatched, fieldProblems, invalidPatch } from '../versions/decode-request.ts';
import type { PatchRequest, WriteResult } from '../definition/registry.ts';
import { copyMetadata } from '../definition/resource-definition.ts';
import { documentVersion } from '../definition/subresource-view.ts';

/**
 * The first attempt and five retries; then a patch fails with Conflict, as in kube-apiserver.
 */
const patchAttempts = 6;

/** Applies a patch to the live object, in the version of the request. */
export async function patchObject(request: WriteRequest, patch: PatchRequest): Promise<WriteResult> {
  const { resource, scope, options } = request;
  const version = documentVersion(request);
  const { merge, setManagers, refusal } = mechanismOf({ resource, scope, options, version }, patch);
  const problems = problemsOf(patch);
  const ignoresUnknown = patch.type === 'apply';
  let warned = false;
  return runUpdateLoop(request, {
    transform: async (live) => {
      const start = performance.now();
      const document = await merge(live && version.fromStorage(live));
      checkValues(document, live);
      const reader = warned ? { ...scope, warn: () => {} } : scope;
      warned = true;
      const read = (part: JsonObject, isPart = false) =>
        decodePatched(resource, version, part, { problems, scope: reader, options, isPart, refusal, ignoresUnknown });
      await yieldIfLong(start);
      const decoding = performance.now();
      const isPartOfLive = scope.subresource === 'status' && document['apiVersion'] === version.apiVersion;
      const made =
        live && isPartOfLive && version.stored ? await readStatus(document, live, read) : await read(document);
      // After decoding a large document, the next steps run in another turn of the event loop.
      await yieldIfLong(decoding);
      return made;
    },
    createsMissing: patch.type === 'apply' ? 'always' : 'never',
    uidIsPrecondition: false,
    usesKeyLock: true,
    attempts: patchAttempts,
    setManagers,
    keepsNulls: patch.type === 'apply',
  });
}

/**
 * Decodes a patched status. Fields that the patch left identical to `live` are not decoded again:
 * unchanged metadata is copied from `live`, and other fields are shared with it.
 */
async function readStatus(
  document: JsonObject,
  live: JsonObject,
  read: (part: JsonObject, isPart: boolean) => Promise<JsonObject>,
): Promise<JsonObject> {
  const part: JsonObject = {};
  for (const [key, value] of Object.entries(document)) {
    if (alwaysRead.has(key) || value !== getOwn(live, key)) setOwn(part, key, value);
  }
  // A document without status is read whole, which fills the status in; the other parts come from
  // the old object.
  const object = await read(part, isJsonObject(part['status']));
  const metadata = metadataOf(live);
  for (const [key, value] of Object.entries(document)) {
    if (Object.hasOwn(part, key)) continue;
    if (key !== 'metadata') setOwn(object, key, value);
    else if (metadata) object['metadata'] = copyMetadata(metadata);
  }
  return object;
}

const alwaysRead: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'status']);

/**
 * Problems in the patch. For a JSON patch these are unknown members of its operations, marked as
 * such because they are not fields of the object.
 */
function problemsOf(patch: PatchRequest): readonly string[] {
  if (patch.type === 'apply' && patch.duplicateKeys) return patch.duplicateKeys;
  if (patch.type !== 'json') return fieldProblems([], patch.duplicateFields);
  return fieldProblems(unknownMembers(patch.operations), patch.duplicateFields).map((text) => `json patch ${text}`);
}

interface PatchedRequest extends WriteRequest {
  readonly version: ServedVersion;
}

/**
 * One patch type: how it makes a document from the live one (undefined if there is none), and who
 * owns the fields.
 */
interface Mechanism {
  readonly merge: (live: JsonObject | undefined) => JsonObject | Promise<JsonObject>;
  readonly setManagers?: TrackOwnership;
  /** Builds the refusal of a merged document that cannot be decoded. */
  readonly refusal?: (error: FieldDecodeError) => StatusError;
}

/** Selects the mechanism of a patch type. */
function mechanismOf(request: PatchedRequest, patch: PatchRequest): Mechanism {
  if (patch.type === 'apply') return applyPatch(request, patch.document);
  if (patch.type === 'strategic') return strategicMechanism(request, patch.document);
  if (patch.type === 'json') return mechanism((live) => applyJsonPatch(live, patch.operations));
  const nulls = isSince(request.scope.emulated.release, '1.35') ? 'kept' : 'dropped';
  return mechanism((live) => applyMergePatch(live, patch.document, nulls));
}

function strategicMechanism({ version: { schema }, scope }: PatchedRequest, patch: JsonValue): Mechanism {
  const takes = isSince(scope.emulated.release, '1.28') ? takeWithoutDirectives : undefined;
  return {
    ...mechanism((live) => ofSameKind(applyStrategicMergePatch(live, patch, schema, takes), live)),
    refusal: ({ refusal }) => invalidPatch(patch, conversionProblem(refusal)),
  };
}

function mechanism(merge: (live: JsonObject) => JsonValue): Mechanism {
  return { merge: (live = {}) => asObject(patched(merge, live)) };
}

/** Restores `kind` and `apiVersion`, which a strategic merge patch cannot change. */
function ofSameKind(document: JsonObject, { kind, apiVersion }: JsonObject): JsonObject {
  if (document['kind'] === kind && document['apiVersion'] === apiVersion) return document;
  return { ...document, ...(kind === undefined ? {} : { kind }), ...(apiVersion === undefined ? {} : { apiVersion }) };
}

function patched(merge: (live: JsonObject) => JsonValue, live: JsonObject): JsonValue {
  try {
    return merge(live);
  } catch (error) {
    throw error instanceof PatchError ? refusals[error.kind](error) : error;
  }
}

const refusals: Readonly<Record<PatchErrorKind, (error: PatchError) => StatusError>> = {
  malformed: (error) => new StatusError('BadRequest', error.message, { cause: error }),
  failed: notApplied,
  untrue: notApplied,
  tooLarge: (error) => new StatusError('RequestEntityTooLarge', error.message, { details: {}, cause: error }),
};

function notApplied(cause: PatchError): StatusError {
  return new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause,
  });
}

function asObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequest('the patch does not leave a JSON object');
}
