import type { JsonValue } from '../../../src/meta/json-value.ts';
import type { ApiResponse } from '../api-target.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { Exchange } from './known-difference.ts';

/**
 * Whether a server answered a read that names a resourceVersion from a cache that lacked an earlier write: the response
 * has an object that was deleted, or is older than an object that was written.
 */
export function isStaleRead({ step, reference, ours, earlier = [] }: Exchange): boolean {
  const { method, query = {} } = step;
  const isCached = Boolean(query['resourceVersion']) && query['resourceVersionMatch'] !== 'Exact';
  if (method !== 'GET' || !isCached) return false;
  const writes = earlier.filter((before) => before.step.method !== 'GET');
  return (
    isBehind(
      reference,
      writes.map((write) => ({ ...write, response: write.reference })),
    ) ||
    isBehind(
      ours,
      writes.map((write) => ({ ...write, response: write.ours })),
    )
  );
}

/** Whether objects were deleted that a cache had listed, which may have lacked some of them. */
export function isAfterStaleDeletion({ earlier = [] }: Exchange): boolean {
  return earlier.some(({ step }) => step.method === 'DELETE' && Boolean(step.query?.['resourceVersion']));
}

type AnsweredWrite = Pick<Exchange, 'step'> & { readonly response: ApiResponse };

function isBehind({ status, body }: ApiResponse, all: readonly AnsweredWrite[]): boolean {
  if (status !== 200) return false;
  const writes = all.filter(({ response }) => response.status < 300);
  const uids = new Set(uidsOf(body));
  const isList = Array.isArray(valueAt(body, ['items']));
  return writes.some(({ step, response }) => {
    const isOfObject = uidsOf(response.body).some((uid) => uids.has(uid));
    if (step.method === 'DELETE') return isOfObject;
    return (isList || isOfObject) && versionOf(response.body) > versionOf(body);
  });
}

/** The uids of an object, of the object of a Status, or of the items of a list. */
function uidsOf(body: JsonValue): readonly string[] {
  const items = valueAt(body, ['items']);
  const objects = Array.isArray(items) ? items : [body];
  return objects
    .map((object) => textAt(object, ['metadata', 'uid']) || textAt(object, ['details', 'uid']))
    .filter((uid) => uid !== '');
}

function versionOf(body: JsonValue): number {
  return Number(textAt(body, ['metadata', 'resourceVersion']) || 0);
}
