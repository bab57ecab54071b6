import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { serverUser } from '../../meta/user-info.ts';
import { newestEmulated } from '../../scheme/emulated-release.ts';
import { StatusError } from '../../status/status-error.ts';
import type { RequestScope, ResourceRegistry, WriteOptions } from '../definition/registry.ts';
import { isUnreadable } from '../read/storage-error-status.ts';

/** The request scope of the server's own reads and writes; its user is in `system:masters`. */
export function systemScope(identifiers: Identifiers, registry: ResourceRegistry, signal: AbortSignal): RequestScope {
  return {
    identifiers,
    user: serverUser,
    namespace: '',
    name: '',
    subresource: '',
    group: registry.info.group,
    version: registry.info.versions[0]?.version ?? '',
    emulated: registry.info.emulated ?? newestEmulated,
    cancellation: { signal },
    warn: () => {},
    annotate: () => {},
  };
}

/** The write options of the server's own writes. */
export function systemWrite({ prefix }: Identifiers): WriteOptions {
  return { dryRun: false, fieldManager: `${prefix}apiserver`, force: false, fieldValidation: 'Ignore' };
}

/**
 * Creates a named object if it does not exist; an existing one is not changed. Several servers
 * may do so concurrently.
 */
export async function ensureObject(registry: ResourceRegistry, scope: RequestScope, object: JsonObject): Promise<void> {
  try {
    await registry.get({ ...scope, name: nameOf(object) }, { kind: 'latest' });
  } catch (error) {
    // A damaged one was logged when it was read, and an administrator must decide about it.
    if (isUnreadable(error)) return;
    if (!hasReason(error, 'NotFound')) throw error;
    await create(registry, scope, object);
  }
}

async function create(registry: ResourceRegistry, scope: RequestScope, object: JsonObject): Promise<void> {
  try {
    await registry.create(scope, object, systemWrite(scope.identifiers));
  } catch (error) {
    // Another server created it first.
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

/** Reports whether an error is a Status with this reason. */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}
