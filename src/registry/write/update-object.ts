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
  let first: JsonObject | undefined = await decodeBody(request, version, body);
  await yieldIfLong(start);
  // Reported before NotFound.
  checkIdentity({ scope, object: first });
  deduplicateOwners(first, 'sent', (text) => scope.warn(text));
  return runUpdateLoop(request, {
    // The steps mutate the object, so a retry decodes the body again.
    transform: async () => {
      const object = first ?? (await decodeBody({ ...request, scope: quiet }, version, body));
      first = undefined;
      // Without a warning: the first decoding has already warned the client.
      deduplicateOwners(object, 'sent', () => {});
      return object;
    },
    createsMissing: 'whereAllowed',
    uidIsPrecondition: true,
    // A body with a resourceVersion cannot succeed after a conflict, so it does not wait for the
    // lock.
    usesKeyLock: resourceVersionOf(first) === '',
  });
}
