import { systemNamespaces } from '../admission/plugins/namespace-lifecycle.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { StatusError } from '../status/status-error.ts';
import type { Registries, RequestScope, ResourceRegistry } from './registry.ts';

/** Makes sure that the namespaces which every server has exist. Several servers may do so at once. */
export async function ensureNamespaces(
  registries: Registries,
  identifiers: Identifiers,
  signal: AbortSignal,
): Promise<void> {
  const namespaces = registries.forResource('', 'namespaces');
  if (!namespaces) return;
  const scope = systemScope(identifiers, namespaces, signal);
  for (const name of systemNamespaces(identifiers)) await ensureNamespace(namespaces, scope, name);
}

function systemScope(identifiers: Identifiers, namespaces: ResourceRegistry, signal: AbortSignal): RequestScope {
  return {
    identifiers,
    user: { username: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    namespace: '',
    name: '',
    subresource: '',
    version: namespaces.info.versions[0]?.version ?? '',
    signal,
    warn: () => {},
  };
}

async function ensureNamespace(namespaces: ResourceRegistry, scope: RequestScope, name: string): Promise<void> {
  try {
    await namespaces.get({ ...scope, name }, { kind: 'latest' });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    await createNamespace(namespaces, scope, name);
  }
}

async function createNamespace(namespaces: ResourceRegistry, scope: RequestScope, name: string): Promise<void> {
  const fieldManager = `${scope.identifiers.prefix}apiserver`;
  try {
    await namespaces.create(
      scope,
      { metadata: { name } },
      { dryRun: false, fieldManager, force: false, fieldValidation: 'Ignore' },
    );
  } catch (error) {
    // Another server was faster.
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}
