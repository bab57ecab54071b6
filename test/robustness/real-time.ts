import type { EventLog } from './event-log.ts';
import type { History, Operation } from './history.ts';

/** A revision, and when somebody knew of it or began to make it. */
interface Moment {
  readonly at: number;
  readonly revision: number;
}

/**
 * What the clock says about revisions. A linearizable read that runs from `call` to `return` must be explained by a revision
 * that is at least every one that anybody had seen before the call, and before every one whose write began after the return.
 */
export class RealTime {
  /** Sorted by time; the revision is the highest seen until then. */
  readonly #seen: readonly Moment[];
  /** Sorted by time; the revision is the lowest of the writes that began from then on. */
  readonly #begun: readonly Moment[];

  constructor(history: History, log: EventLog) {
    this.#seen = rising(witnesses(history, log));
    this.#begun = lowestBehind(writes(history, log));
  }

  /** The revision that a read which begins at `call` may not be behind of. */
  atLeast(call: number): number {
    const place = firstPlace(this.#seen, (moment) => moment.at >= call);
    return this.#seen[place - 1]?.revision ?? 0;
  }

  /** The revision that a read which returned by `end` cannot have reached. */
  before(end: number): number {
    const place = firstPlace(this.#begun, (moment) => moment.at > end);
    return this.#begun[place]?.revision ?? Number.POSITIVE_INFINITY;
  }
}

/** The revision that an operation has shown to exist; 0 for none. */
export function witnessed(operation: Operation, log: EventLog): number {
  if (operation.outcome !== 'ok') return 0;
  if (operation.list) return Math.max(0, ...operation.list.revisions);
  if (operation.verb === 'delete') return log.deletions.get(operation.object?.uid ?? '')?.revision ?? 0;
  return operation.object?.revision ?? 0;
}

function witnesses(history: History, log: EventLog): Moment[] {
  const byOperations = history.operations.map((operation) => ({
    at: operation.return,
    revision: witnessed(operation, log),
  }));
  const byWatches = history.watches.flatMap(({ documents }) => documents.map(({ at, revision }) => ({ at, revision })));
  return [...byOperations, ...byWatches].filter(({ revision }) => revision > 0);
}

/** Writes whose outcome nobody was told are found in the log by their marks. */
function writes(history: History, log: EventLog): Moment[] {
  return history.operations.flatMap((operation) => {
    const revision =
      log.byMark.get(operation.mark)?.revision ?? (operation.verb === 'delete' ? witnessed(operation, log) : 0);
    return revision > 0 ? [{ at: operation.call, revision }] : [];
  });
}

function rising(moments: Moment[]): Moment[] {
  let highest = 0;
  return moments
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, revision }) => {
      highest = Math.max(highest, revision);
      return { at, revision: highest };
    });
}

function lowestBehind(moments: Moment[]): Moment[] {
  let lowest = Number.POSITIVE_INFINITY;
  return moments
    .toSorted((a, b) => b.at - a.at)
    .map(({ at, revision }) => {
      lowest = Math.min(lowest, revision);
      return { at, revision: lowest };
    })
    .toReversed();
}

function firstPlace(moments: readonly Moment[], holds: (moment: Moment) => boolean): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const moment = moments[middle];
    if (moment && holds(moment)) high = middle;
    else low = middle + 1;
  }
  return low;
}
