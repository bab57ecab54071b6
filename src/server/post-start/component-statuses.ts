import { decodeJson } from '../../codec/decode-json.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { serverUser } from '../../meta/user-info.ts';
import type { Registries, RequestScope } from '../../registry/definition/registry.ts';
import { leaseProbe, storeProbe } from '../../resources/core/componentstatuses/probes.ts';
import { componentStatuses } from '../../resources/core/componentstatuses/registry.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';

/** A component that does not answer within this time is unhealthy. */
const probeDeadlineMs = 2_000;

interface ComponentDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Registries;
  readonly store: ObjectStore;
}

/**
 * Adds the registry of component statuses: the store, and the components with a leader election
 * lease.
 */
export function withComponentStatuses({ registries, catalogue, ...dependencies }: ComponentDependencies): Registries {
  const info = catalogue.current.resource('', 'componentstatuses');
  if (!info) return registries;
  const { store, identifiers } = dependencies;
  const statuses = componentStatuses(info, [
    ...['controller-manager', 'scheduler'].map((name) =>
      leaseProbe(name, (signal) => readLease({ identifiers, registries }, name, signal)),
    ),
    storeProbe('etcd-0', (signal) =>
      store.status({ alarms: true, signal: AbortSignal.any([signal, AbortSignal.timeout(probeDeadlineMs)]) }),
    ),
  ]);
  return {
    of: (definition) => (definition === info ? statuses : registries.of(definition)),
    forResource: (group, resource) =>
      group === '' && resource === 'componentstatuses' ? statuses : registries.forResource(group, resource),
  };
}

async function readLease(
  { identifiers, registries }: Pick<ComponentDependencies, 'identifiers' | 'registries'>,
  component: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const leases = registries.forResource(`coordination.${identifiers.apiDomain}`, 'leases');
  const scope: RequestScope = {
    identifiers,
    user: serverUser,
    namespace: `${identifiers.prefix}system`,
    name: `${identifiers.prefix}${component}`,
    subresource: '',
    group: `coordination.${identifiers.apiDomain}`,
    version: 'v1',
    cancellation: { signal },
    warn: () => {},
    annotate: () => {},
  };
  const lease = await leases?.get(scope, { kind: 'any' });
  const value = lease && decodeJson(lease.json, { duplicates: false }).value;
  return isJsonObject(value) ? value : undefined;
}
