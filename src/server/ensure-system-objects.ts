import type { Identifiers } from '../identifiers/identifiers.ts';
import { ensureNamespaces } from '../registry/ensure-namespaces.ts';
import { ensureObject, systemScope } from '../registry/ensure-object.ts';
import type { Registries } from '../registry/registry.ts';
import { systemPriorityClasses } from '../resources/scheduling/priorityclasses/system-classes.ts';

/** Creates the objects that every cluster has. Called before the server is ready. */
export async function ensureSystemObjects(
  registries: Registries,
  identifiers: Identifiers,
  signal: AbortSignal,
): Promise<void> {
  await ensureNamespaces(registries, identifiers, signal);
  const classes = registries.forResource(`scheduling.${identifiers.apiDomain}`, 'priorityclasses');
  if (!classes) return;
  const scope = systemScope(identifiers, classes, signal);
  for (const object of systemPriorityClasses()) await ensureObject(classes, scope, object);
}
