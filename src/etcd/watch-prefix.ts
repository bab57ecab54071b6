import { classifyError } from './classify-error.ts';
import type { Endpoint } from './endpoint.ts';
import { EtcdError } from './etcd-error.ts';
import { prefixRange } from './key-range.ts';
import { linkSignals } from '../async/abort-signals.ts';
import { historyIdOf, type RevisionClock } from './revision-clock.ts';
import type { EtcdEvent, WatchRequest } from './watch-messages.ts';
import { readWatch, type WatchResponse } from './watch-stream.ts';

/**
 * Whole revisions in order; everything up to `revision` has been delivered. A batch without events
 * only confirms that.
 */
export interface EtcdWatchBatch {
  readonly revision: number;
  readonly events: readonly EtcdEvent[];
}

/**
 * Timeout of the watch that finds the compacted revision: etcd refuses it as soon as it reads the
 * request.
 */
const compactProbeMs = 1_000;

/** The parts of `EtcdClient` that a watch uses. */
interface WatchedClient {
  readonly clock: RevisionClock;
  readonly closed: AbortSignal;
  readonly endpoint: Endpoint;
  leave(failed: Endpoint): void;
  revision(signal?: AbortSignal): Promise<number>;
}

/** The start of a watch, and the content of its events. */
export interface EtcdWatchOptions {
  readonly afterRevision: number;
  /** The history of `afterRevision`, from `RevisionClock.historyId`; not checked by default. */
  readonly historyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * True (the default) if events include previous values, which double the data that etcd sends.
   */
  readonly previous?: boolean | undefined;
}

/**
 * The changes of all keys with a prefix after a revision, on one stream: in order, each once. The
 * first batch has no events and confirms the watch. Ends when `signal` aborts. Throws `compacted`,
 * `futureRevision`, `revisionRegressed` if the history is not the expected one, `denied`, and
 * `unavailable` when the stream breaks: the caller then resumes after the last batch, at another
 * member if there is one.
 *
 * The revision of a batch is from its last event, never from a response header: etcd sends old
 * events in parts, each with the newest revision in its header.
 */
export async function* watchPrefix(
  client: WatchedClient,
  prefix: string,
  options: EtcdWatchOptions,
): AsyncGenerator<EtcdWatchBatch, void, undefined> {
  const { signal } = options;
  const { endpoint, clock } = client;
  const { era } = clock;
  // A read may detect that etcd was restored while the watch is silent.
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
  if (clock.era !== era) throw regressed('the revision went back', clock.newest);
  client.leave(endpoint);
  throw new EtcdError('unavailable', 'etcd: the watch ended');
}

/** A running watch. */
interface OpenWatch extends EtcdWatchOptions {
  readonly prefix: string;
  /** The clock's era when the watch began. */
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
    // Revisions of an earlier history are not valid in the present one.
    if (client.clock.era === watch.era) client.clock.advance(seen);
  }
}

/** The news of a response beyond revision `seen`, if any. */
async function batchOf(
  client: WatchedClient,
  watch: OpenWatch,
  answer: WatchResponse,
  seen: number,
  stop: AbortSignal,
): Promise<EtcdWatchBatch | undefined> {
  const { kind, revision, events } = answer;
  if (kind === 'canceled') throw canceled(answer);
  if (kind === 'events') return newEvents(events, seen);
  // etcd sends progress periodically to a watch that has caught up, in order with its events.
  if (kind === 'progress') return revision > seen ? { revision, events: [] } : undefined;
  await checkStart(client, watch, answer, stop);
  return { revision: seen, events: [] };
}

function createRequest({ prefix, previous = true, afterRevision }: OpenWatch): WatchRequest {
  return {
    ...prefixRange(prefix),
    // Not afterRevision + 1: this way etcd refuses the watch exactly if `afterRevision` is
    // compacted. A watch that starts at the revision of a compaction may miss a delete (etcd#18089,
    // #19179). Known events are dropped here.
    start_revision: afterRevision,
    prev_kv: previous,
    fragment: true,
    progress_notify: true,
  };
}

/**
 * Checks the start of a watch. A member may lag behind `afterRevision`, and the watch waits for it;
 * the cluster may not.
 */
async function checkStart(
  client: WatchedClient,
  { afterRevision, historyId, era }: OpenWatch,
  answer: WatchResponse,
  stop: AbortSignal,
): Promise<void> {
  const newest = answer.revision >= afterRevision ? answer.revision : await client.revision(stop);
  const { clock } = client;
  const another = historyId !== undefined && historyId !== historyIdOf(answer.clusterId, clock.era);
  if (another || clock.era !== era) throw regressed('the cluster was replaced or restored', newest);
  if (newest >= afterRevision) return;
  if (historyId !== undefined) throw regressed(`the revision went back to ${newest}`, newest);
  throw new EtcdError('futureRevision', `etcd: revision ${afterRevision} has not been reached`, { revision: newest });
}

function regressed(what: string, revision: number): EtcdError {
  return new EtcdError('revisionRegressed', `etcd: ${what} during a watch`, { revision });
}

function canceled(answer: WatchResponse): EtcdError {
  if (answer.compactRevision > 0) {
    return new EtcdError('compacted', 'etcd: the history that the watch needs has been compacted', {
      revision: answer.compactRevision,
    });
  }
  const code = /permission|auth/i.test(answer.reason) ? 'denied' : 'unavailable';
  return new EtcdError(code, `etcd: the watch was cancelled: ${answer.reason || 'no reason given'}`);
}

/**
 * Drops events that were delivered before; old members send some events twice (fixed in etcd 3.4.24
 * and 3.5.8).
 */
function newEvents(events: readonly EtcdEvent[], seen: number): EtcdWatchBatch | undefined {
  const fresh = events.filter((event) => revisionOf(event) > seen);
  const last = fresh.at(-1);
  return last && { revision: revisionOf(last), events: fresh };
}

function revisionOf(event: EtcdEvent): number {
  return event.type === 'put' ? event.current.revision : event.revision;
}

/**
 * The oldest revision that etcd has, which it reports when it refuses a watch from revision 1.
 * Undefined if it cannot be determined, or nothing was compacted.
 */
export async function findCompactRevision(endpoint: Endpoint): Promise<number | undefined> {
  try {
    const request = { key: Buffer.from([0]), start_revision: 1 };
    for await (const answer of readWatch(endpoint, request, AbortSignal.timeout(compactProbeMs))) {
      if (answer.kind === 'canceled') return answer.compactRevision || undefined;
    }
  } catch {
    // Ignored: the result only adds detail to another error.
  }
  return undefined;
}
