import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import { isRemote, type RemoteApiService } from '../../api/api-services/api-service.ts';
import type { LiveApiServices } from '../../api/api-services/api-services.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { now } from '../../meta/time.ts';
import { hasReason, systemScope } from '../../registry/internal/ensure-object.ts';
import { changeObject } from '../../registry/internal/reconcile-object.ts';
import type { ResourceRegistry } from '../../registry/definition/registry.ts';
import type { ServiceObjects } from './service-objects.ts';
import {
  type Availability,
  local,
  serviceProblem,
  shownAvailability,
  withAvailability,
} from './availability-condition.ts';

/** The dependencies of the checks. */
interface AvailabilityDependencies {
  readonly identifiers: Identifiers;
  readonly registry: ResourceRegistry;
  readonly services: LiveApiServices;
  readonly objects: ServiceObjects;
  /** Asks the server of an APIService. */
  readonly check: (service: RemoteApiService, signal: AbortSignal) => Promise<Availability>;
  /** Takes each result. */
  readonly record: (service: RemoteApiService, availability: Availability) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The checks of one APIService. */
interface Checks {
  /** Changes if another server has to be asked, or the same one in another way. */
  key: string;
  /** Ends the pause before the next check. */
  wake: AbortController;
  written: { readonly availability: Availability; readonly atMs: number } | undefined;
}

/**
 * The interval of the checks of a server that is available, the longest pause after a failure, and
 * how long the different result of another server of the store stays.
 */
const intervalMs = 30_000;

/** The first pause after a failure; it doubles with each further one. */
const firstRetryMs = 100;

/**
 * Keeps the conditions of APIServices up to date: checks the servers of remote ones periodically,
 * at a change of their Service or Endpoints, and soon after a failure. Every server of a store does
 * so.
 * Servers with different results change a condition at most once an interval each.
 */
export class AvailabilityChecks {
  readonly #dependencies: AvailabilityDependencies;
  readonly #checks = new Map<string, Checks>();

  constructor(dependencies: AvailabilityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes a change of an APIService. */
  changed(name: string): void {
    const { services } = this.#dependencies;
    const one = services.get(name);
    const checks = this.#checks.get(name);
    const key = one && isRemote(one) ? JSON.stringify([one.service, one.caBundle, one.insecure]) : '';
    if (checks && checks.key !== key) {
      checks.key = key;
      checks.wake.abort();
    }
    if (!one || checks) return;
    if (isRemote(one)) this.#start(name, key);
    else if (one.availableReason !== local.reason) void this.#write(name, local, undefined);
  }

  /** Checks the APIServices of a Service again, soon. */
  serviceChanged(namespace: string, name: string): void {
    for (const [apiService, { wake }] of this.#checks) {
      const { service } = this.#dependencies.services.get(apiService) ?? {};
      if (service?.namespace === namespace && service.name === name) wake.abort();
    }
  }

  #start(name: string, key: string): void {
    const checks: Checks = { key, wake: new AbortController(), written: undefined };
    this.#checks.set(name, checks);
    this.#dependencies.objects.follow((namespace, service) => this.serviceChanged(namespace, service));
    this.#run(name, checks).catch((error: unknown) => {
      this.#checks.delete(name);
      const { log, signal } = this.#dependencies;
      if (!signal.aborted) log.error({ err: error, apiService: name }, 'the checks of an APIService have ended');
    });
  }

  async #run(name: string, checks: Checks): Promise<void> {
    const { services, signal } = this.#dependencies;
    let failures = 0;
    while (!signal.aborted) {
      checks.wake = new AbortController();
      const one = services.get(name);
      if (!one || !isRemote(one)) break;
      const { key } = checks;
      const availability = await this.#check(one);
      if (signal.aborted) return;
      if (key === checks.key) {
        this.#dependencies.record(one, availability);
        await this.#write(name, availability, checks);
      }
      failures = availability.status === 'True' ? 0 : failures + 1;
      const delayMs = failures === 0 ? intervalMs : Math.min(firstRetryMs * 2 ** failures, intervalMs);
      await pause(delayMs, AbortSignal.any([checks.wake.signal, signal]), { ref: false });
    }
    if (signal.aborted) return;
    this.#checks.delete(name);
    // It may have become a local one.
    this.changed(name);
  }

  async #check(one: RemoteApiService): Promise<Availability> {
    const { objects, check, signal } = this.#dependencies;
    const problem = serviceProblem(one, await objects.of(one.service, signal));
    return problem ?? (await check(one, signal));
  }

  async #write(name: string, availability: Availability, checks: Checks | undefined): Promise<void> {
    const { identifiers, registry, log, signal } = this.#dependencies;
    const scope = { ...systemScope(identifiers, registry, signal), name, subresource: 'status' };
    const change = (found: JsonObject): JsonObject | undefined =>
      checks && isOfAnother(found, availability, checks) ? undefined : withAvailability(found, availability, now());
    try {
      await changeObject(registry, scope, change);
      if (checks && !isSame(checks.written?.availability, availability)) {
        checks.written = { availability, atMs: performance.now() };
      }
    } catch (error) {
      if (signal.aborted || hasReason(error, 'NotFound')) return;
      log.warn({ err: error, apiService: name }, 'the condition of an APIService could not be written; trying again');
    }
  }
}

/** True if another server has replaced the same result of this one, recently. */
function isOfAnother(found: JsonObject, availability: Availability, { written }: Checks): boolean {
  if (!written || !isSame(written.availability, availability)) return false;
  return !isSame(shownAvailability(found), availability) && performance.now() - written.atMs < intervalMs;
}

type Result = Pick<Availability, 'reason'> & { readonly status: string };

function isSame(one: Result | undefined, other: Result): boolean {
  return one?.status === other.status && one.reason === other.reason;
}
