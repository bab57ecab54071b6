import type { Identifiers } from '../identifiers/identifiers.ts';
import { ensureNamespaces } from '../registry/ensure-namespaces.ts';
import { ensureObject, systemScope } from '../registry/ensure-object.ts';
import { ensureFlowControlObjects } from './flow-control-objects.ts';
import type { Registries } from '../registry/registry.ts';
import { systemPriorityClasses } from '../resources/scheduling/priorityclasses/system-classes.ts';

/**
 * Creates the objects that every cluster has, and those of flow control if it is on. Called before
 * the server is ready.
 */
export async function ensureSystemObjects(
  registries: Registries,
  identifiers: Identifiers,
  { flowControl }: { readonly flowControl: boolean },
  signal: AbortSignal,
): Promise<void> {
  await ensureNamespaces(registries, identifiers, signal);
  await Promise.all([
    ensurePriorityClasses(registries, identifiers, signal),
    flowControl ? ensureFlowControlObjects({ registries, identifiers }, signal) : undefined,
  ]);
}

async function ensurePriorityClasses(
  registries: Registries,
  identifiers: Identifiers,
  signal: AbortSignal,
): Promise<void> {
  const classes = registries.forResource(`scheduling.${identifiers.apiDomain}`, 'priorityclasses');
  if (!classes) return;
  const scope = systemScope(identifiers, classes, signal);
  for (const object of systemPriorityClasses()) await ensureObject(classes, scope, object);
}
