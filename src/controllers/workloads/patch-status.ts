import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { hasReason } from '../../client/status-error.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { StoredMetadata } from '../kinds/workload.ts';

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

/**
 * Writes the fields of a status that differ, and waits until the informer has them, so that the
 * next reconciliation starts from them. An object that is gone is no error.
 */
export async function patchStatus<T extends ObjectWithStatus>(change: StatusChange<T>): Promise<void> {
  const { object, status, annotations, resource, informer, signal } = change;
  const { name, namespace, uid, annotations: present = {} } = object.metadata;
  const fields = differences(object.status ?? {}, status);
  const changed = annotations ? differences(present, annotations) : {};
  if (Object.keys(fields).length === 0 && Object.keys(changed).length === 0) return;
  // The uid is compared by the server: the patch must not apply to another object of this name.
  const metadata = { uid, ...(Object.keys(changed).length > 0 ? { annotations: changed } : {}) };
  try {
    const options = { type: 'merge' as const, subresource: 'status', namespace, signal };
    const written = await resource.patch(name, { metadata, status: fields }, options);
    await informer.waitFor(written.metadata.resourceVersion, signal);
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
  }
}

/** The changed fields as a merge patch; removed ones are null. Zero is the same as no value. */
function differences(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before));
  const fresh = new Map<string, unknown>(Object.entries(after));
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  // The values are parts of objects, which are JSON.
  const changed = names.filter(
    (name) => !sameValue((old.get(name) || null) as JsonValue, (fresh.get(name) || null) as JsonValue),
  );
  return Object.fromEntries(changed.map((name) => [name, fresh.get(name) ?? null]));
}
