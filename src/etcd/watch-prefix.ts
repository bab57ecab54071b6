import type { IEvent } from 'etcd3';
import { backoffMs, pause } from './backoff.ts';
import { classifyError } from './classify-error.ts';
import type { Endpoint } from './endpoint.ts';
import { EtcdError } from './etcd-error.ts';
import { type EtcdValue, valueOf } from './etcd-value.ts';
import { keyRange } from './key-range.ts';
import type { RevisionClock } from './revision-clock.ts';
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
export interface WatchedClient {
  readonly clock: RevisionClock;
  readonly closed: AbortSignal;
  readonly endpoint: Endpoint;
  leave(failed: Endpoint): void;
  revision(signal?: AbortSignal): Promise<number>;
}

/**
 * The changes of all keys with a prefix after a revision: in order, each once, over as many connections as it takes.
 * Reconnects for as long as it must; ends when `signal` aborts. Throws `compacted`, `futureRevision` (only at first),
 * `revisionRegressed`, `denied`, and `unavailable` when the client is closed.
 *
 * `previous` asks for the values before, which double what etcd has to send.
 *
 * The place to go on from is the revision of the last event delivered. It is never taken from the header of an answer
 * with events: etcd catches up in parts, and the header of each says etcd's newest revision (reference: etcd3, P1).
 */
export async function* watchPrefix(
  client: WatchedClient,
  prefix: string,
  afterRevision: number,
  signal?: AbortSignal,
  previous = true,
): AsyncGenerator<EtcdWatchBatch, void, undefined> {
  const stop = signal ? AbortSignal.any([signal, client.closed]) : client.closed;
  const place: WatchPlace = { prefix, previous, seen: afterRevision, era: client.clock.era, clusterId: '' };
  for (let attempt = 0; ; attempt++) {
    const endpoint = client.endpoint;
    // A read may find out that etcd went back in time while the watch hears nothing: it is opened again, and then says so.
    const present = AbortSignal.any([stop, client.clock.eraEnd]);
    try {
      for await (const batch of readOnce(client, endpoint, place, present)) {
        attempt = 0;
        place.seen = batch.revision;
        yield batch;
      }
    } catch (error) {
      const failure = classifyError(error, 'read');
      if (!present.aborted && failure.code !== 'unavailable') throw failure;
    }
    if (signal?.aborted) return;
    client.closed.throwIfAborted();
    client.leave(endpoint);
    await pause(backoffMs(attempt), stop);
  }
}

/** How far a watch has come. */
interface WatchPlace {
  readonly prefix: string;
  readonly previous: boolean;
  seen: number;
  readonly era: number;
  /** Set once etcd had the revision that the watch began at. */
  clusterId: string;
}

async function* readOnce(
  client: WatchedClient,
  endpoint: Endpoint,
  place: WatchPlace,
  stop: AbortSignal,
): AsyncGenerator<EtcdWatchBatch, void, undefined> {
  for await (const answer of readWatch(endpoint, createRequest(place), stop)) {
    switch (answer.kind) {
      case 'created':
        await checkStart(client, answer, place, stop);
        break;
      case 'canceled':
        throw canceled(answer);
      case 'events': {
        const batch = newEvents(answer.events, place.seen);
        if (batch) yield batch;
        break;
      }
      case 'progress':
        // Sent from time to time to a watch that has caught up, in order with its events.
        if (answer.revision > place.seen) yield { revision: answer.revision, events: [] };
        break;
    }
    // What was told before etcd went back in time says nothing about the one that is there now.
    if (client.clock.era === place.era) client.clock.advance(place.seen);
  }
}

function createRequest({ prefix, previous, seen }: WatchPlace) {
  return {
    ...keyRange(prefix),
    // Not seen + 1: so etcd refuses exactly when the revision we know is compacted. A watch that begins at the very
    // revision of a compaction can lack a deletion (etcd#18089, #19179). What was seen already is dropped here.
    start_revision: seen,
    prev_kv: previous,
    fragment: true,
    progress_notify: true,
  };
}

/** A member that is behind is fine: the watch waits for it. A cluster that is behind is not. */
async function checkStart(
  client: WatchedClient,
  answer: WatchAnswer,
  place: WatchPlace,
  stop: AbortSignal,
): Promise<void> {
  const newest = answer.revision >= place.seen ? answer.revision : await client.revision(stop);
  const again = place.clusterId !== '';
  const another = again && answer.clusterId !== place.clusterId;
  if (another || client.clock.era !== place.era || (again && newest < place.seen)) {
    const what = another ? 'it became another cluster' : `its revision went back to ${newest}`;
    throw new EtcdError('revisionRegressed', `etcd: ${what} under a watch`, { revision: newest });
  }
  if (newest < place.seen) {
    throw new EtcdError('futureRevision', `etcd: revision ${place.seen} has not been reached`, { revision: newest });
  }
  place.clusterId = answer.clusterId;
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
