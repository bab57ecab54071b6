import { tracksLegacyTokens } from '../../authn/service-account/legacy-token-use.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import { now } from '../../meta/time.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';

/** The dependencies of the tracking record. */
interface TrackingDependencies {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly release: string;
  readonly isFeatureEnabled: (gate: string) => boolean;
}

/**
 * Creates the ConfigMap with the day since which the use of legacy tokens is tracked. The
 * controller that deletes unused tokens waits for it. An invalid day is replaced.
 */
export async function ensureTokenTracking(dependencies: TrackingDependencies, signal: AbortSignal): Promise<void> {
  const { registries, identifiers } = dependencies;
  const configMaps = registries.forResource('', 'configmaps');
  if (!configMaps || !tracksLegacyTokens(dependencies)) return;
  const namespace = `${identifiers.prefix}system`;
  const name = `${identifiers.prefix}apiserver-legacy-service-account-token-tracking`;
  const data = { since: now().slice(0, 'YYYY-MM-DD'.length) };
  const scope = { ...systemScope(identifiers, configMaps, signal), namespace };
  await reconcileObject(configMaps, scope, { metadata: { namespace, name }, data }, (found) =>
    isDay(stringAt(objectAt(found, 'data'), 'since'))
      ? undefined
      : { ...found, data: { ...objectAt(found, 'data'), ...data } },
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
