import type { JsonValue } from '../../../src/meta/json-value.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { Exchange } from './known-difference.ts';

/**
 * Whether the reference answered a read that names a resourceVersion from a cache that lacked an earlier write: the
 * answer has an object that was deleted, or a list is older than an object that was written.
 */
export function isStaleRead({ step, reference, earlier = [] }: Exchange): boolean {
  const { method, query = {} } = step;
  const isCached = Boolean(query['resourceVersion']) && query['resourceVersionMatch'] !== 'Exact';
  if (method !== 'GET' || !isCached || reference.status !== 200) return false;
  const writes = earlier.filter((before) => before.step.method !== 'GET' && before.reference.status < 300);
  const deleted = new Set(
    writes.filter((write) => write.step.method === 'DELETE').flatMap((write) => uidsOf(write.reference.body)),
  );
  return (
    uidsOf(reference.body).some((uid) => deleted.has(uid)) ||
    (Array.isArray(valueAt(reference.body, ['items'])) &&
      writes.some((write) => versionOf(write.reference.body) > versionOf(reference.body)))
  );
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
