import { systemNamespaces } from '../../admission/plugins/namespace-lifecycle.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { ensureObject, systemScope } from './ensure-object.ts';
import type { Registries } from '../definition/registry.ts';

/** Creates the system namespaces that do not exist. Several servers may do so concurrently. */
export async function ensureNamespaces(
  registries: Registries,
  identifiers: Identifiers,
  signal: AbortSignal,
): Promise<void> {
  const namespaces = registries.forResource('', 'namespaces');
  if (!namespaces) return;
  const scope = systemScope(identifiers, namespaces, signal);
  for (const name of systemNamespaces(identifiers)) await ensureObject(namespaces, scope, { metadata: { name } });
}
