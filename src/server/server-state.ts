import type { ServerState, StateRow } from '../api/debug/state-pages.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { yieldIfLong } from '../async/yield-if-long.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { formatTime } from '../meta/time.ts';
import { numberAt, objectAt, stringAt } from '../meta/read-field.ts';
import { valueOf } from '../codec/document.ts';
import { nameOf, namespaceOf } from '../meta/object-meta.ts';
import { systemScope } from '../registry/internal/ensure-object.ts';
import type { Registries } from '../registry/definition/registry.ts';
import type { CompactionNotes, CompactionsByStore } from './post-start/compaction-notes.ts';
import type { WatchCache } from '../storage/cache/watch-cache.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';

interface StateDependencies {
  readonly identifiers: Identifiers;
  readonly caches: WatchCache;
  /** The main store, with which the others are in `compactions`. */
  readonly store: ObjectStore;
  readonly registries: Registries;
  readonly compactions: CompactionsByStore;
  readonly compactionIntervalMs: number;
}

/** The timeout of reading the state of the store. */
const storeTimeoutMs = 5_000;

/** The most leases that are shown. */
const mostLeases = 100;

/** Collects the state of a server for the pages under `/debug`. */
export function serverState(dependencies: StateDependencies): ServerState {
  const { caches } = dependencies;
  return {
    largestObjects: async (count) =>
      (await caches.largest(count)).map(({ key, size, revision }) => ({ bytes: size, key, revision })),
    caches: () =>
      caches.counts().map(({ location, objects, watches, cutWatches, decodeErrors, capacity }) => ({
        resource: location.group === '' ? location.resource : `${location.resource}.${location.group}`,
        objects,
        watches,
        cutWatches,
        decodeErrors,
        historyEvents: capacity,
      })),
    store: () => storeRows(dependencies),
    leases: () => leaseRows(dependencies),
  };
}

function row(name: string, value: string | number): StateRow {
  return { name, value };
}

async function storeRows({
  store,
  caches,
  compactions,
  compactionIntervalMs,
}: StateDependencies): Promise<readonly StateRow[]> {
  const others = [...compactions.keys()].filter((one) => one !== store);
  const [ofStore = [], ...ofOthers] = await Promise.all([store, ...others].map((one) => statusRows(one)));
  return [
    ...ofStore,
    row('revision of the caches', caches.revision),
    row('watch on the store', caches.watchProblem() ?? 'open'),
    row('bytes of history', caches.historyBytes),
    row('bytes of other encodings', caches.encodingBytes),
    row('bytes of cached lists', caches.listBytes),
    row('caches that differed from the store', caches.mismatches),
    row('compaction interval in seconds', Math.round(compactionIntervalMs / 1000)),
    ...compactionRows(compactions.get(store)),
    ...others.flatMap((one, index) =>
      [...(ofOthers[index] ?? []), ...compactionRows(compactions.get(one))].map(({ name, ...rest }) => ({
        // As its health check is named.
        name: `etcd-override-${index}: ${name}`,
        ...rest,
      })),
    ),
  ];
}

async function statusRows(store: ObjectStore): Promise<readonly StateRow[]> {
  try {
    const signal = AbortSignal.timeout(storeTimeoutMs);
    const { revision, version, database, alarms } = await store.status({ alarms: true, signal });
    return [
      row('revision of the store', revision),
      row('version of the store', version),
      ...(database ? [row('database bytes', database.bytes)] : []),
      row('alarms', alarms?.join(', ') ?? ''),
    ];
  } catch (error) {
    return [row('the store does not answer', error instanceof Error ? error.message : String(error))];
  }
}

function compactionRows(notes: CompactionNotes | undefined): readonly StateRow[] {
  const { revision = 0, endedMs = 0, problem = '' } = notes ?? {};
  return [
    row('last compaction by this server', endedMs === 0 ? '' : `${formatTime(endedMs)} at revision ${revision}`),
    row('failure of the last compaction', problem),
  ];
}

async function leaseRows({ identifiers, registries }: StateDependencies): Promise<readonly StateRow[]> {
  const leases = registries.forResource(`coordination.${identifiers.apiDomain}`, 'leases');
  if (!leases) return [];
  const scope = { ...systemScope(identifiers, leases, AbortSignal.timeout(storeTimeoutMs)), namespace: '' };
  const { items } = await leases.list(scope, { at: { kind: 'any' }, limit: 0 });
  const nowMs = Date.now();
  const rows: LeaseRow[] = [];
  let startMs = performance.now();
  for (const item of items) {
    rows.push(leaseRow(valueOf(item), nowMs));
    const rest = yieldIfLong(startMs);
    if (!rest) continue;
    await rest;
    startMs = performance.now();
  }
  return rows.toSorted((one, other) => other.overdueSeconds - one.overdueSeconds).slice(0, mostLeases);
}

type LeaseRow = StateRow & { readonly overdueSeconds: number };

function leaseRow(lease: JsonObject, nowMs: number): LeaseRow {
  const spec = objectAt(lease, 'spec');
  const renewedMs = Date.parse(stringAt(spec, 'renewTime'));
  const overdue = Math.round((nowMs - renewedMs) / 1000 - (numberAt(spec, 'leaseDurationSeconds') ?? 0));
  return {
    overdueSeconds: Number.isNaN(overdue) ? 0 : overdue,
    namespace: namespaceOf(lease),
    name: nameOf(lease),
    holder: stringAt(spec, 'holderIdentity'),
    renewed: stringAt(spec, 'renewTime'),
    transitions: numberAt(spec, 'leaseTransitions') ?? 0,
  };
}
