import type { WriteRequest } from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import type { JsonObject } from '../../meta/json-value.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { resourceVersionOf } from '../../meta/object-meta.ts';
import { runUpdateLoop } from './update-loop.ts';
import { decodeBody } from '../versions/decode-request.ts';
import { deduplicateOwners } from './deduplicate-owners.ts';
import type { RequestScope, WriteResult } from '../definition/registry.ts';
import { checkIdentity } from './update-steps.ts';
import { documentVersion } from '../definition/subresource-view.ts';

/** Replaces an object, or the part of it that a sub-resource writes. */
export async function updateObject(request: WriteRequest, body: JsonObject): Promise<WriteResult> {
  const { scope } = request;
  const version = documentVersion(request);
  const quiet: RequestScope = { ...scope, warn: () => {} };
  const start = performance.now();
  const decoding = decodeBody(request, version, body);
  let first: JsonObject | undefined = decoding instanceof Promise ? await decoding : decoding;
  const rest = yieldIfLong(start);
  if (rest) await rest;
  // Reported before NotFound.
  checkIdentity({ scope, object: first });
  deduplicateOwners(first, 'sent', (text) => scope.warn(text));
  return runUpdateLoop(request, {
    // The steps mutate the object, so a retry decodes the body again.
    transform: () => {
      const object = first ?? decodeBody({ ...request, scope: quiet }, version, body);
      first = undefined;
      return object instanceof Promise ? object.then(withDistinctOwners) : withDistinctOwners(object);
    },
    createsMissing: 'whereAllowed',
    uidIsPrecondition: true,
    // A body with a resourceVersion cannot succeed after a conflict, so it does not wait for the
    // lock.
    usesKeyLock: resourceVersionOf(first) === '',
  });
}

/** Removes duplicate owners without a warning: the first decoding has warned the client. */
function withDistinctOwners(object: JsonObject): JsonObject {
  deduplicateOwners(object, 'sent', () => {});
  return object;
}
