import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { ensureNamespaces } from '../../registry/internal/ensure-namespaces.ts';
import { ensureObject, systemScope } from '../../registry/internal/ensure-object.ts';
import { systemPriorityClasses } from '../../resources/scheduling/priorityclasses/system-classes.ts';
import { ensureFlowControlObjects } from './flow-control-objects.ts';
import { reconcileDefaultRoles } from './reconcile-default-roles.ts';

/** The dependencies, and the features whose objects are created. */
export interface SystemObjectsDependencies {
  readonly registries: Registries;
  readonly catalogue: LiveCatalogue;
  readonly identifiers: Identifiers;
  /** True to create the default roles and bindings. */
  readonly defaultRoles: boolean;
  /** The release of the default roles. */
  readonly release: string;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
  /** True if flow control is on. */
  readonly flowControl: boolean;
}

/**
 * Creates the objects that every cluster has, and the objects of the enabled features. Called
 * before the server is ready, with the cache filled.
 */
export async function ensureSystemObjects(dependencies: SystemObjectsDependencies, signal: AbortSignal): Promise<void> {
  const { registries, identifiers, defaultRoles, flowControl } = dependencies;
  await ensureNamespaces(registries, identifiers, signal);
  await Promise.all([
    ensurePriorityClasses(registries, identifiers, signal),
    flowControl ? ensureFlowControlObjects(dependencies, signal) : undefined,
    defaultRoles ? reconcileDefaultRoles(dependencies, signal) : undefined,
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
