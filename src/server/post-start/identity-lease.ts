import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import { identityLabel } from '../../aggregator/peers/identity-leases.ts';
import { objectAt } from '../../meta/read-field.ts';
import type { Lease } from '../../gen/stored/coordination-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { nowMicroTime } from '../../meta/time.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import { hasReason, systemScope } from '../../registry/internal/ensure-object.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';

/** How often the Leases of stopped servers are deleted. */
const collectionMs = 3_600_000;

/** The dependencies of the identity Lease. */
interface IdentityDependencies {
  /** The identity of this server. */
  readonly serverId: string;
  /** A random ID of this start, by which others notice a restart. */
  readonly serverStart: string;
  /** The validity of the Lease, and the time between renewals. */
  readonly leaseTimes: { readonly validSeconds: number; readonly renewMs: number };
  /** The address for peers, `host:port`; absent: the server has none. */
  readonly peerAddress?: string | undefined;
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Renews the identity Lease, by which other servers and clients know this one, and deletes expired
 * Leases, until a signal aborts. The name is derived from the host, so that a restarted server
 * takes over its Lease.
 */
export async function keepIdentityLease(dependencies: IdentityDependencies, left: AbortSignal): Promise<void> {
  const { log } = dependencies;
  const signal = AbortSignal.any([dependencies.signal, left]);
  let collectedMs = 0;
  while (!signal.aborted) {
    try {
      await renewIdentityLease(dependencies);
      if (performance.now() - collectedMs >= collectionMs || collectedMs === 0) {
        collectedMs = performance.now();
        await deleteExpired(dependencies);
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the Lease of the server could not be renewed; trying again');
    }
    await pause(dependencies.leaseTimes.renewMs, signal, { ref: false });
  }
}

function leasesOf({ registries, identifiers, signal }: IdentityDependencies) {
  const registry = registries.forResource(`coordination.${identifiers.apiDomain}`, 'leases');
  const scope = registry && { ...systemScope(identifiers, registry, signal), namespace: `${identifiers.prefix}system` };
  return registry && scope ? { registry, scope } : undefined;
}

/** Creates or renews the Lease once. */
export async function renewIdentityLease(dependencies: IdentityDependencies): Promise<void> {
  const leases = leasesOf(dependencies);
  if (!leases) return;
  const { identifiers, serverId: name, serverStart, peerAddress } = dependencies;
  const [label, identity] = identityLabel(identifiers);
  const labels: JsonObject = {
    [label]: identity,
    [`${identifiers.labelDomain}/hostname`]: hostname(),
  };
  const annotations: JsonObject = peerAddress
    ? { [`${identifiers.labelDomain}/peer-advertise-address`]: peerAddress }
    : {};
  const renewTime = nowMicroTime();
  const leaseDurationSeconds = dependencies.leaseTimes.validSeconds;
  const spec = { holderIdentity: `${name}_${serverStart}`, leaseDurationSeconds, renewTime };
  const { registry, scope } = leases;
  const metadata = { name, labels, ...(peerAddress ? { annotations } : {}) };
  await reconcileObject(registry, { ...scope, name }, { metadata, spec }, (found) => ({
    ...found,
    metadata: withMembers(objectAt(found, 'metadata'), { labels, annotations }),
    spec,
  }));
}

/** Adds entries to labels and annotations; empty maps are not created. */
function withMembers(metadata: JsonObject, added: Readonly<Record<string, JsonObject>>): JsonObject {
  const joined = Object.entries(added).flatMap(([field, members]) =>
    Object.keys(members).length > 0 ? [[field, { ...objectAt(metadata, field), ...members }] as const] : [],
  );
  return { ...metadata, ...Object.fromEntries(joined) };
}

/** Deletes the Lease of a server that stops. */
export async function deleteIdentityLease(dependencies: IdentityDependencies): Promise<void> {
  const leases = leasesOf(dependencies);
  if (!leases) return;
  const { registry, scope } = leases;
  await registry.delete({ ...scope, name: dependencies.serverId }, { dryRun: false }).catch((error: unknown) => {
    if (!hasReason(error, 'NotFound')) throw error;
  });
}

/** Deletes the Leases of servers that have not renewed them in time. */
async function deleteExpired(dependencies: IdentityDependencies): Promise<void> {
  const leases = leasesOf(dependencies);
  if (!leases) return;
  const { registry, scope } = leases;
  const [label, identity] = identityLabel(dependencies.identifiers);
  const { items } = await registry.list(scope, { at: { kind: 'latest' }, limit: 0 });
  for (const { json } of items) {
    // The registry returns objects of its kind.
    const lease = JSON.parse(json.toString('utf8')) as Lease & JsonObject;
    if (lease.metadata.labels?.[label] !== identity) continue;
    const { renewTime, leaseDurationSeconds = 0 } = lease.spec;
    const isExpired = !renewTime || Date.parse(renewTime) + leaseDurationSeconds * 1000 < Date.now();
    if (isExpired) await deleteAsRead(registry, scope, lease);
  }
}

async function deleteAsRead(registry: ResourceRegistry, scope: RequestScope, lease: Lease & JsonObject): Promise<void> {
  const { resourceVersion = '' } = lease.metadata;
  try {
    await registry.delete({ ...scope, name: nameOf(lease) }, { dryRun: false, preconditions: { resourceVersion } });
  } catch (error) {
    // It was renewed, or another server has deleted it.
    if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
  }
}
