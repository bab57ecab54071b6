import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { whenAborted } from '../../async/abort-signals.ts';
import { type Lease, type LeaseAccess, runLeaderElection } from '../../client/leader-election.ts';
import { StatusError } from '../../client/error-of-response.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import { systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import { StatusError as ServerError } from '../../status/status-error.ts';

/** The Lease by which servers elect the one that elects the leaders of components. */
const leaseName = 'leader-election-controller';

/** The times of the election, as in `LeaderElectionOptions`. */
interface ElectionTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** The work for one server of a store at a time. */
interface ServerElection {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly times: ElectionTimes;
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

/** Runs work on one server of the store at a time, until the signal aborts. */
export async function leadAmongServers(election: ServerElection, signal: AbortSignal): Promise<void> {
  const { registries, identifiers, times, lead, log } = election;
  const registry = registries.forResource(`coordination.${identifiers.apiDomain}`, 'leases');
  if (!registry) return;
  const namespace = `${identifiers.prefix}system`;
  const options = {
    ...times,
    leases: leaseAccess(registry, identifiers),
    namespace,
    name: leaseName,
    identity: `${hostname()}_${randomUUID()}`,
    lead,
    onError: (error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'the server that elects leaders could not be chosen; trying again');
    },
  };
  while (!signal.aborted) await runLeaderElection(options, signal);
}

/** Accesses Leases through the registry of this server. */
function leaseAccess(registry: ResourceRegistry, identifiers: Identifiers): LeaseAccess {
  const { group } = registry.info;
  const scopeOf = (signal: AbortSignal): RequestScope => ({
    ...systemScope(identifiers, registry, signal),
    namespace: `${identifiers.prefix}system`,
  });
  const write = systemWrite(identifiers);
  return {
    reference: { group, version: 'v1' },
    get: (name, options) =>
      asClient(async () => read((await registry.get({ ...scopeOf(options.signal), name }, { kind: 'latest' })).json)),
    create: (lease, options) =>
      asClient(async () => {
        const { json } = await registry.create(scopeOf(options.signal), lease as JsonObject, write);
        return read(json);
      }),
    update: (lease, options) =>
      asClient(async () => {
        const scope = { ...scopeOf(options.signal), name: lease.metadata?.name ?? '' };
        const { object } = await registry.update(scope, lease as JsonObject, write);
        return read(object.json);
      }),
    // A released Lease is found at the next attempt.
    // oxlint-disable-next-line require-yield -- it is a stream without events
    async *watch(options) {
      await whenAborted(options.signal);
    },
  };
}

function read(json: Buffer): Lease {
  // The registry returns objects of its kind.
  return JSON.parse(json.toString('utf8')) as Lease;
}

/** Turns errors of the registry into errors of a client. */
async function asClient<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw new StatusError({ message: error.message, reason: error.reason, code: error.code }, { cause: error });
  }
}
