import type { WriteRequest } from './resource-request.ts';
import { performance } from 'node:perf_hooks';
import { goText } from '../meta/go-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { continueAfter, nextTurn } from '../async/next-turn.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { unknownMembers } from '../patch/json-patch-operation.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { metadataOf } from '../meta/object-meta.ts';
import { PatchError, type PatchErrorKind } from '../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { DecodeError } from '../scheme/decode-error.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import { applyPatch } from './apply-patch.ts';
import { changeObject } from './change-object.ts';
import { checkValues } from './check-values.ts';
import type { Claim } from './claim-fields.ts';
import { conversionProblem } from './conversion-problem.ts';
import { decodePatched, fieldProblems, invalidPatch } from './decode-request.ts';
import type { PatchRequest, WriteAnswer } from './registry.ts';
import type { ServedVersion } from './stored-resource.ts';
import { copyOfMetadata } from './status-field.ts';
import { documentVersion } from './subresource-view.ts';

/** The first write and five more: a patch is sent again by its client after that many conflicts (as kube-apiserver does). */
const patchAttempts = 6;

/** Applies a patch to the live object in the version of the request. */
export async function patchObject(request: WriteRequest, patch: PatchRequest): Promise<WriteAnswer> {
  const { resource, scope, options } = request;
  const version = documentVersion(request);
  const { merge, claim, refusal } = mechanismOf({ resource, scope, options, version }, patch);
  const problems = problemsOf(patch);
  let warned = false;
  return changeObject(request, {
    transform: (live) => {
      const start = performance.now();
      const finish = (document: JsonObject): JsonObject | Promise<JsonObject> => {
        checkValues(document, live);
        const reader = warned ? { ...scope, warn: () => {} } : scope;
        warned = true;
        const read = (part: JsonObject, isPart = false) =>
          decodePatched(resource, version, part, { problems, scope: reader, options, isPart, refusal });
        return continueAfter(start, () => {
          const decoding = performance.now();
          const made =
            live && scope.subresource === 'status' && version.stored
              ? readStatus(document, live, read)
              : read(document);
          // What follows the reading of a large document has a turn of its own.
          return made instanceof Promise ? made.then(inNextTurn) : continueAfter(decoding, () => made);
        });
      };
      const document = merge(live && version.fromStorage(live));
      return document instanceof Promise ? document.then(finish) : finish(document);
    },
    createsMissing: patch.type === 'apply' ? 'always' : 'never',
    uidIsPrecondition: false,
    takesTurns: true,
    attempts: patchAttempts,
    claim,
  });
}

function inNextTurn(object: JsonObject): Promise<JsonObject> {
  return nextTurn().then(() => object);
}

/**
 * A write to the status keeps all the rest: parts of a document that the patch has left as they are need not be read to be
 * put back, and such metadata stands in `live` as it would be read.
 */
function readStatus(
  document: JsonObject,
  live: JsonObject,
  read: (part: JsonObject, isPart: boolean) => JsonObject | Promise<JsonObject>,
): JsonObject | Promise<JsonObject> {
  const part: JsonObject = {};
  for (const [key, value] of Object.entries(document)) {
    if (alwaysRead.has(key) || value !== getOwn(live, key)) setOwn(part, key, value);
  }
  // A status that is missing is made; all else that is, stands in the old object.
  const made = read(part, isJsonObject(part['status']));
  const metadata = metadataOf(live);
  const complete = (object: JsonObject): JsonObject => {
    if (metadata && !Object.hasOwn(part, 'metadata')) object['metadata'] = copyOfMetadata(metadata);
    return object;
  };
  return made instanceof Promise ? made.then(complete) : complete(made);
}

const alwaysRead: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'status']);

/** What is odd about the patch itself. Of a JSON patch these are its operations, and are told apart from fields of the object. */
function problemsOf(patch: PatchRequest): readonly string[] {
  if (patch.type !== 'json') return fieldProblems([], patch.duplicateFields);
  return fieldProblems(unknownMembers(patch.operations), patch.duplicateFields).map((text) => `json patch ${text}`);
}

interface PatchedRequest extends WriteRequest {
  readonly version: ServedVersion;
}

/** How a patch makes a document from the live one, undefined where there is none, and who owns its fields then. */
interface Mechanism {
  readonly merge: (live: JsonObject | undefined) => JsonObject | Promise<JsonObject>;
  readonly claim?: Claim;
  /** How what it makes is refused that cannot be read. */
  readonly refusal?: (error: DecodeError) => StatusError;
}

/** One mechanism for each type of patch. */
function mechanismOf(request: PatchedRequest, patch: PatchRequest): Mechanism {
  if (patch.type === 'apply') return applyPatch(request, patch.document);
  const { version } = request;
  if (patch.type === 'strategic') return strategicMechanism(patch.document, version.schema);
  return mechanism(
    patch.type === 'json'
      ? (live) => applyJsonPatch(live, patch.operations)
      : (live) => applyMergePatch(live, patch.document),
  );
}

function strategicMechanism(patch: JsonValue, schema: ObjectSchema): Mechanism {
  return {
    ...mechanism((live) => ofSameKind(applyStrategicMergePatch(live, patch, schema), live)),
    refusal: ({ refusal }) => invalidPatch(goText(patch, shownPatch), conversionProblem(refusal)),
  };
}

/** So much of a strategic merge patch is shown where it is refused. */
const shownPatch = 64 * 1024;

function mechanism(merge: (live: JsonObject) => JsonValue): Mechanism {
  return { merge: (live = {}) => asObject(patched(merge, live)) };
}

/** Strategic merge patches are merged into an object of a known kind, which they cannot change. */
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
  failed: (error) =>
    new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
      cause: error,
    }),
  tooLarge: (error) => new StatusError('RequestEntityTooLarge', error.message, { details: {}, cause: error }),
};

function asObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequest('the patch does not leave a JSON object');
}
