import type { IEvent } from 'etcd3';
import { classifyError } from './classify-error.ts';
import type { Endpoint } from './endpoint.ts';
import { EtcdError } from './etcd-error.ts';
import { type EtcdValue, valueOf } from './etcd-value.ts';
import { keyRange } from './key-range.ts';
import { linkSignals } from '../async/link-signals.ts';
import { historyIdOf, type RevisionClock } from './revision-clock.ts';
import { readWatch, type WatchAnswer } from './watch-stream.ts';

/** One change; `previous` is undefined for a creation and where etcd no longer has it. */
export type EtcdEvent =
  | {
      readonly type: 'put';
      readonly current: EtcdValue;
      readonly created: boolean;
      readonly previous: EtcdValue | undefined;
    }
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly revision: number;
      readonly previous: EtcdValue | undefined;
    };

/** Whole revisions in order; all up to `revision` has been delivered. Without events it only says that. */
export interface EtcdWatchBatch {
  readonly revision: number;
  readonly events: readonly EtcdEvent[];
}

/** Time for etcd to refuse a watch from the beginning, which it does as soon as it reads the request. */
const compactProbeMs = 1_000;

/** The parts of `EtcdClient` that a watch uses. */
interface WatchedClient {
  readonly clock: RevisionClock;
  readonly closed: AbortSignal;
  readonly endpoint: Endpoint;
  leave(failed: Endpoint): void;
  revision(signal?: AbortSignal): Promise<number>;
}

/** Where a watch begins, and what it is told. */
export interface EtcdWatchOptions {
  readonly afterRevision: number;
  /** The history that `afterRevision` belongs to, as `RevisionClock.historyId` had it; any by default. */
  readonly historyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether events carry the values before, which double what etcd has to send; true by default. */
  readonly previous?: boolean | undefined;
}

/**
 * The changes of all keys with a prefix after a revision, on one stream: in order, each once. The first batch, without
 * events, says that etcd has accepted the watch. Ends when `signal` aborts. Throws `compacted`, `futureRevision`,
 * `revisionRegressed` where the history is not the one asked for, `denied`, and `unavailable` when the stream broke:
 * the caller then resumes behind the last batch, and is served by another member where there is one.
 *
 * The revision of a batch is that of its last event. It is never taken from the header of an answer with events: etcd
 * catches up in parts, and the header of each has etcd's newest revision (reference: etcd3, P1).
 */
export async function* watchPrefix(
  client: WatchedClient,
  prefix: string,
  options: EtcdWatchOptions,
): AsyncGenerator<EtcdWatchBatch, void, undefined> {
  const { signal } = options;
  const { endpoint, clock } = client;
  const { era } = clock;
  // A read may find out that etcd went back in time while the watch hears nothing.
  const stop = linkSignals(signal, client.closed, clock.eraEnd);
  try {
    yield* readOnce(client, endpoint, { ...options, prefix, era }, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      const failure = classifyError(error, 'read');
      if (failure.code === 'unavailable') client.leave(endpoint);
      throw failure;
    }
  } finally {
    stop.release();
  }
  if (signal?.aborted) return;
  client.closed.throwIfAborted();
  if (clock.era !== era) throw regressed('its revision went back', clock.newest);
  client.leave(endpoint);
  throw new EtcdError('unavailable', 'etcd: the watch ended');
}

/** A watch under way. */
interface OpenWatch extends EtcdWatchOptions {
  readonly prefix: string;
  /** The clock's when the watch began. */
  readonly era: number;
}

async function* readOnce(
  client: WatchedClient,
  endpoint: Endpoint,
  watch: OpenWatch,
  stop: AbortSignal,
): AsyncGenerator<EtcdWatchBatch, void, undefined> {
  let seen = watch.afterRevision;
  for await (const answer of readWatch(endpoint, createRequest(watch), stop)) {
    const batch = await batchOf(client, watch, answer, seen, stop);
    if (!batch) continue;
    seen = batch.revision;
    yield batch;
    // Revisions of an earlier history say nothing about the present one.
    if (client.clock.era === watch.era) client.clock.advance(seen);
  }
}

/** What an answer of etcd tells beyond `seen`, if anything. */
async function batchOf(
  client: WatchedClient,
  watch: OpenWatch,
  answer: WatchAnswer,
  seen: number,
  stop: AbortSignal,
): Promise<EtcdWatchBatch | undefined> {
  const { kind, revision, events } = answer;
  if (kind === 'canceled') throw canceled(answer);
  if (kind === 'events') return newEvents(events, seen);
  // Progress is sent from time to time to a watch that has caught up, in order with its events.
  if (kind === 'progress') return revision > seen ? { revision, events: [] } : undefined;
  await checkStart(client, watch, answer, stop);
  return { revision: seen, events: [] };
}

function createRequest({ prefix, previous = true, afterRevision }: OpenWatch) {
  return {
    ...keyRange(prefix),
    // Not afterRevision + 1: so etcd refuses exactly when the revision we know is compacted. A watch that begins at the very
    // revision of a compaction can lack a deletion (etcd#18089, #19179). What was seen already is dropped here.
    start_revision: afterRevision,
    prev_kv: previous,
    fragment: true,
    progress_notify: true,
  };
}

/** A member that is behind is fine: the watch waits for it. A cluster that is behind is not. */
async function checkStart(
  client: WatchedClient,
  { afterRevision, historyId, era }: OpenWatch,
  answer: WatchAnswer,
  stop: AbortSignal,
): Promise<void> {
  const newest = answer.revision >= afterRevision ? answer.revision : await client.revision(stop);
  const { clock } = client;
  const another = historyId !== undefined && historyId !== historyIdOf(answer.clusterId, clock.era);
  if (another || clock.era !== era) throw regressed('it is not the one that it was', newest);
  if (newest >= afterRevision) return;
  if (historyId !== undefined) throw regressed(`its revision went back to ${newest}`, newest);
  throw new EtcdError('futureRevision', `etcd: revision ${afterRevision} has not been reached`, { revision: newest });
}

function regressed(what: string, revision: number): EtcdError {
  return new EtcdError('revisionRegressed', `etcd: ${what} under a watch`, { revision });
}

function canceled(answer: WatchAnswer): EtcdError {
  if (answer.compactRevision > 0) {
    return new EtcdError('compacted', 'etcd: the history that the watch needs has been compacted', {
      revision: answer.compactRevision,
    });
  }
  const code = /permission|auth/i.test(answer.reason) ? 'denied' : 'unavailable';
  return new EtcdError(code, `etcd: the watch was cancelled: ${answer.reason || 'no reason given'}`);
}

/** Leaves out what was delivered before; old members send some events twice (fixed in etcd 3.4.24 and 3.5.8). */
function newEvents(events: readonly IEvent[], seen: number): EtcdWatchBatch | undefined {
  const fresh = events.filter((event) => Number(event.kv.mod_revision) > seen).map(eventOf);
  const last = fresh.at(-1);
  return last && { revision: last.type === 'put' ? last.current.revision : last.revision, events: fresh };
}

function eventOf(event: IEvent): EtcdEvent {
  // Absent messages arrive as null, though etcd3's types do not say so.
  const previous = (event.prev_kv as IEvent['prev_kv'] | null) ? valueOf(event.prev_kv) : undefined;
  const current = valueOf(event.kv);
  // Enumerated values arrive by their names in etcd's protocol file, not by those of etcd3's types.
  if (event.type.toUpperCase() !== 'DELETE') {
    return { type: 'put', current, created: current.createRevision === current.revision, previous };
  }
  return { type: 'delete', key: current.key, revision: current.revision, previous };
}

/**
 * The oldest revision that an etcd still has: it says so when it refuses a watch from the beginning. Undefined where
 * that cannot be found out, or where nothing has been compacted.
 */
export async function findCompactRevision(endpoint: Endpoint): Promise<number | undefined> {
  try {
    const request = { key: Buffer.from([0]), start_revision: 1 };
    for await (const answer of readWatch(endpoint, request, AbortSignal.timeout(compactProbeMs))) {
      if (answer.kind === 'canceled') return answer.compactRevision || undefined;
    }
  } catch {
    // It only completes an error that is on its way already.
  }
  return undefined;
}
