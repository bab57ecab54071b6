import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { PatchError, type PatchErrorKind } from '../patch/patch-error.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import { changeObject } from './change-object.ts';
import { decodePatched } from './decode-request.ts';
import type { PatchRequest, RequestScope, WriteAnswer, WriteOptions } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';
import { documentVersion } from './subresource-view.ts';

/** The first write and five more: a patch is sent again by its client after that many conflicts (as kube-apiserver does). */
const patchAttempts = 6;

/** Applies a patch to the live object in the version of the request. */
export async function patchObject(
  resource: StoredResource,
  scope: RequestScope,
  patch: PatchRequest,
  options: WriteOptions,
): Promise<WriteAnswer> {
  const version = documentVersion(resource, scope);
  const apply = transformOf(patch);
  const duplicates = patch.type === 'merge' ? patch.duplicateFields : [];
  let warned = false;
  return changeObject(resource, scope, options, {
    transform: (live) => {
      const patched = applied(apply, version.fromStorage(live ?? {}));
      const reader = warned ? { ...scope, warn: () => {} } : scope;
      warned = true;
      return decodePatched(resource, version, patched, duplicates, reader, options);
    },
    createsMissing: false,
    uidIsPrecondition: false,
    attempts: patchAttempts,
  });
}

/** One transform for each type of patch. */
function transformOf(patch: PatchRequest): (document: JsonObject) => JsonObject {
  return patch.type === 'json'
    ? (document) => asObject(applyJsonPatch(document, patch.operations))
    : (document) => asObject(applyMergePatch(document, patch.document));
}

function applied(apply: (document: JsonObject) => JsonObject, document: JsonObject): JsonObject {
  try {
    return apply(document);
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
