import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import type { Lease } from '../../gen/stored/coordination-v1.ts';
import type { LeaseCandidate } from '../../gen/stored/coordination-v1beta1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nowMicroTime } from '../../meta/time.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import { hasReason, systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import { changeObject } from '../../registry/internal/reconcile-object.ts';
import type { WatchCache } from '../../storage/cache/watch-cache.ts';
import { electedSpec, electionStep, isExpired } from './election-step.ts';

/** The dependencies of coordinated leader election. */
interface CoordinationDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly caches: WatchCache;
  readonly registries: Registries;
  readonly log: Logger;
}

/**
 * The time between checks of Leases without changes, and between deletions of expired candidates.
 */
const againMs = 5_000;
const collectionMs = 1_800_000;

/**
 * Elects the leaders of components with LeaseCandidates, until the signal aborts. One server of a
 * store does this at a time. Returns immediately if LeaseCandidates are not served.
 */
export async function coordinateLeaders(dependencies: CoordinationDependencies, signal: AbortSignal): Promise<void> {
  const { identifiers, catalogue, caches, registries, log } = dependencies;
  const group = `coordination.${identifiers.apiDomain}`;
  const [leases, candidates] = ['leases', 'leasecandidates'].map((name) => registries.forResource(group, name));
  const info = catalogue.current.resource(group, 'leasecandidates');
  const cache = info && cacheOf(caches, info);
  if (!leases || !candidates || !cache) return;
  const elections = new Elections({ identifiers, leases, candidates, log, signal });
  let isChanged = new AbortController();
  cache.follow({
    replace: () => isChanged.abort(),
    change: () => isChanged.abort(),
  });
  let collectedMs = performance.now();
  while (!signal.aborted) {
    isChanged = new AbortController();
    try {
      await elections.run();
      if (performance.now() - collectedMs >= collectionMs) {
        collectedMs = performance.now();
        await elections.collect();
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the leaders of components could not be elected; trying again');
    }
    await pause(againMs, AbortSignal.any([signal, isChanged.signal]), { ref: false });
  }
}

/** The dependencies of the elections. */
interface ElectionsOptions extends Pick<CoordinationDependencies, 'identifiers' | 'log'> {
  readonly leases: ResourceRegistry;
  readonly candidates: ResourceRegistry;
  readonly signal: AbortSignal;
}

type StoredCandidate = LeaseCandidate & JsonObject;

/** The elections of all Leases with candidates. */
class Elections {
  readonly #options: ElectionsOptions;

  constructor(options: ElectionsOptions) {
    this.#options = options;
  }

  /** Runs the next step of each election. */
  async run(): Promise<void> {
    const byLease = new Map<string, StoredCandidate[]>();
    for (const candidate of await this.#list()) {
      const key = `${candidate.metadata.namespace}/${candidate.spec.leaseName}`;
      byLease.set(key, [...(byLease.get(key) ?? []), candidate]);
    }
    for (const [key, candidates] of byLease) {
      const [namespace = '', name = ''] = key.split('/');
      await this.#step({ namespace, name }, candidates).catch((error: unknown) => {
        // Another write was first; the next check starts from it.
        if (hasReason(error, 'Conflict') || hasReason(error, 'AlreadyExists')) return;
        if (!this.#options.signal.aborted) this.#options.log.warn({ err: error, lease: key }, 'no leader was elected');
      });
    }
  }

  /** Deletes candidates that have not renewed for a long time. */
  async collect(): Promise<void> {
    const { candidates } = this.#options;
    for (const one of await this.#list()) {
      if (!isExpired(one, Date.now())) continue;
      const { namespace = '', name = '', uid, resourceVersion } = one.metadata;
      const scope = { ...this.#scope(candidates), namespace, name };
      const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
      await candidates.delete(scope, { dryRun: false, preconditions }).catch((error: unknown) => {
        if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
      });
    }
  }

  async #list(): Promise<readonly StoredCandidate[]> {
    const { candidates } = this.#options;
    const { items } = await candidates.list(this.#scope(candidates), { at: { kind: 'latest' }, limit: 0 });
    // The registry returns objects of its kind.
    return items.map(({ json }) => JSON.parse(json.toString('utf8')) as StoredCandidate);
  }

  async #step(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    candidates: readonly StoredCandidate[],
  ): Promise<void> {
    const { leases, identifiers } = this.#options;
    const scope = { ...this.#scope(leases), namespace, name };
    const lease = await this.#read(leases, scope);
    const step = electionStep(lease, candidates, Date.now());
    if (step.kind === 'ask') for (const one of step.candidates) await this.#ask(one);
    if (step.kind !== 'elect') return;
    const spec = electedSpec(lease, step, { nowMs: Date.now(), renewTime: nowMicroTime() });
    if (!spec) return;
    const write = systemWrite(identifiers);
    // A conflict means that the holder has renewed the Lease.
    if (lease) await leases.update(scope, { ...lease, spec }, write);
    else await leases.create({ ...scope, name: '' }, { metadata: { name, namespace }, spec }, write);
  }

  async #read(registry: ResourceRegistry, scope: RequestScope): Promise<(Lease & JsonObject) | undefined> {
    const found = await registry.get(scope, { kind: 'latest' }).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
      return undefined;
    });
    // The registry returns objects of its kind.
    return found && (JSON.parse(found.json.toString('utf8')) as Lease & JsonObject);
  }

  async #ask({ metadata }: LeaseCandidate): Promise<void> {
    const { candidates } = this.#options;
    const { namespace = '', name = '' } = metadata;
    const scope = { ...this.#scope(candidates), namespace, name };
    await changeObject<StoredCandidate>(candidates, scope, (found) => ({
      ...found,
      spec: { ...found.spec, pingTime: nowMicroTime() },
    }));
  }

  #scope(registry: ResourceRegistry): RequestScope {
    const { identifiers, signal } = this.#options;
    return systemScope(identifiers, registry, signal);
  }
}
