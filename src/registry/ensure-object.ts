import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { nameOf } from '../meta/object-meta.ts';
import { StatusError } from '../status/status-error.ts';
import type { RequestScope, ResourceRegistry, WriteOptions } from './registry.ts';

/** What the server does by itself, it does as this user. */
export function systemScope(identifiers: Identifiers, registry: ResourceRegistry, signal: AbortSignal): RequestScope {
  return {
    identifiers,
    user: { username: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    namespace: '',
    name: '',
    subresource: '',
    group: registry.info.group,
    version: registry.info.versions[0]?.version ?? '',
    cancellation: { signal },
    warn: () => {},
  };
}

/** How the server writes by itself. */
export function systemWrite({ prefix }: Identifiers): WriteOptions {
  return { dryRun: false, fieldManager: `${prefix}apiserver`, force: false, fieldValidation: 'Ignore' };
}

/** Makes sure that a named object exists; one that does stays as it is. Several servers may do so at once. */
export async function ensureObject(registry: ResourceRegistry, scope: RequestScope, object: JsonObject): Promise<void> {
  try {
    await registry.get({ ...scope, name: nameOf(object) }, { kind: 'latest' });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    await create(registry, scope, object);
  }
}

async function create(registry: ResourceRegistry, scope: RequestScope, object: JsonObject): Promise<void> {
  try {
    await registry.create(scope, object, systemWrite(scope.identifiers));
  } catch (error) {
    // Another server was faster.
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

/** Whether an error is a Status with a reason. */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}
