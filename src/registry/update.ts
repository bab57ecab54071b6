import { performance } from 'node:perf_hooks';
import type { JsonObject } from '../meta/json-value.ts';
import { restAfter } from '../async/next-turn.ts';
import { resourceVersionOf } from '../meta/object-meta.ts';
import { changeObject } from './change-object.ts';
import { decodeBody } from './decode-request.ts';
import { deduplicateOwners } from './deduplicate-owners.ts';
import type { RequestScope, WriteAnswer, WriteOptions } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';
import { checkIdentity } from './update-steps.ts';
import { documentVersion } from './subresource-view.ts';

/** Replaces an object, or what a sub-resource writes of it. */
export async function updateObject(
  resource: StoredResource,
  scope: RequestScope,
  body: JsonObject,
  options: WriteOptions,
): Promise<WriteAnswer> {
  const version = documentVersion(resource, scope);
  const quiet: RequestScope = { ...scope, warn: () => {} };
  const start = performance.now();
  const decoding = decodeBody(resource, version, body, scope, options);
  let first: JsonObject | undefined = decoding instanceof Promise ? await decoding : decoding;
  const rest = restAfter(start);
  if (rest) await rest;
  // Told before whether there is such an object.
  checkIdentity({ scope, object: first });
  deduplicateOwners(first, 'sent', (text) => scope.warn(text));
  return changeObject(resource, scope, options, {
    // The steps change what they get, so a second run reads the body again.
    transform: () => {
      const object = first ?? decodeBody(resource, version, body, quiet, options);
      first = undefined;
      return object instanceof Promise ? object.then(withDistinctOwners) : withDistinctOwners(object);
    },
    createsMissing: 'whereAllowed',
    uidIsPrecondition: true,
    // Who says from which state it was made has lost for good.
    takesTurns: resourceVersionOf(first) === '',
  });
}

/** The client has been warned of the first reading of its body. */
function withDistinctOwners(object: JsonObject): JsonObject {
  deduplicateOwners(object, 'sent', () => {});
  return object;
}
