import type { StoredMetadata } from '../resources.ts';
import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';

/** An object with a status that its controller writes. */
interface ObjectWithStatus extends ApiObject {
  metadata: StoredMetadata;
  status?: object;
}

/** The object, its planned status, and where they are written and read. */
interface StatusChange<T extends ObjectWithStatus> {
  readonly object: T;
  /** Fields without a value are removed, like those that are missing. */
  readonly status: object;
  /** Planned annotations, if the controller keeps any. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly resource: ResourceClient<T>;
  readonly informer: Informer<T>;
  readonly signal: AbortSignal;
}

/** Times that a status is written again when another client writes the object. */
const conflictLimit = 5;

/**
 * Writes a status that differs, and waits until the informer has it, so that the next
 * reconciliation starts from it. It is an update of the sub-resource, because the default roles of
 * controllers allow no patches of it. An object that is gone is no error.
 */
export async function writeStatus<T extends ObjectWithStatus>(change: StatusChange<T>): Promise<void> {
  const { object, status, annotations = object.metadata.annotations ?? {}, resource, informer, signal } = change;
  const isSame = sameFields(object.status ?? {}, status) && sameFields(object.metadata.annotations ?? {}, annotations);
  if (isSame) return;
  const { name, namespace, uid } = object.metadata;
  const options = { subresource: 'status', namespace, signal };
  let base = object;
  for (let attempt = 0; base.metadata.uid === uid; attempt++) {
    try {
      const written = await resource.update({ ...base, metadata: { ...base.metadata, annotations }, status }, options);
      await informer.waitFor(written.metadata.resourceVersion, signal);
      return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      if (!hasReason(error, 'Conflict') || attempt === conflictLimit) throw error;
    }
    const found = await ignoreReasons(resource.get(name, { namespace, signal }), 'NotFound');
    if (!found) return;
    base = found;
  }
}

/** Compares fields; zero is the same as no value. */
function sameFields(before: object, after: object): boolean {
  const old = new Map<string, unknown>(Object.entries(before));
  const fresh = new Map<string, unknown>(Object.entries(after));
  // The values are parts of objects, which are JSON.
  const isSame = (name: string): boolean =>
    sameValue((old.get(name) || null) as JsonValue, (fresh.get(name) || null) as JsonValue);
  return [...old.keys(), ...fresh.keys()].every(isSame);
}
