import type { ChildProcess } from 'node:child_process';
import { type FamilySnapshot, mergeSnapshots, snapshotOf } from '../../metrics/family-snapshot.ts';
import type { WorkerCommand } from './worker-messages.ts';

/** A worker that does not respond for this time is left out. */
const timeoutMs = 2_000;

/** The metrics of a worker. */
type Snapshots = readonly FamilySnapshot[];

/** A collection of the metrics of all workers but one. */
interface Gathering {
  readonly asker: ChildProcess;
  /** The asker's number of it. */
  readonly id: number;
  readonly metrics: Map<ChildProcess, Snapshots>;
  readonly missing: Set<ChildProcess>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Passes the metrics of workers to the one whose `/metrics` is read, with the counters of workers
 * that have ended: counters of the whole do not fall when a worker is replaced. The counters of a
 * worker that crashed are as they were last read.
 */
export class WorkerMetrics {
  readonly #gatherings = new Map<number, Gathering>();
  /** The last known metrics of the workers that run. */
  readonly #latest = new Map<ChildProcess, Snapshots>();
  /** The counters of all workers that have ended. */
  #ended: Snapshots = [];
  #lastId = 0;

  /** Asks the others for the metrics that a worker, which has these, wants to have. */
  gather(
    asker: ChildProcess,
    { id, metrics }: { readonly id: number; readonly metrics: Snapshots },
    workers: readonly ChildProcess[],
  ): void {
    this.#latest.set(asker, metrics);
    const others = workers.filter((worker) => worker !== asker);
    const own = ++this.#lastId;
    const timer = setTimeout(() => this.#end(own), timeoutMs);
    this.#gatherings.set(own, { asker, id, metrics: new Map(), missing: new Set(others), timer });
    for (const worker of others) sendCommand(worker, { type: 'sample', id: own });
    if (others.length === 0) this.#end(own);
  }

  /** Takes the metrics of a worker. */
  sampled(worker: ChildProcess, id: number, metrics: Snapshots): void {
    this.#latest.set(worker, metrics);
    const gathering = this.#gatherings.get(id);
    if (!gathering?.missing.delete(worker)) return;
    gathering.metrics.set(worker, metrics);
    if (gathering.missing.size === 0) this.#end(id);
  }

  /** Takes the last metrics of a worker that is about to end. */
  leaving(worker: ChildProcess, metrics: Snapshots): void {
    this.#latest.set(worker, metrics);
  }

  /** Keeps the counters of a worker that has ended, and waits for it no longer. */
  forget(worker: ChildProcess): void {
    const counters = (this.#latest.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    this.#latest.delete(worker);
    this.#ended = mergeSnapshots([this.#ended, counters]).map(snapshotOf);
    for (const [id, { missing, metrics }] of this.#gatherings) {
      // Its counters are among the counters of the ended workers.
      metrics.delete(worker);
      if (missing.delete(worker) && missing.size === 0) this.#end(id);
    }
  }

  #end(own: number): void {
    const gathering = this.#gatherings.get(own);
    if (!gathering) return;
    this.#gatherings.delete(own);
    clearTimeout(gathering.timer);
    const { asker, id, metrics } = gathering;
    sendCommand(asker, { type: 'gathered', id, metrics: [...metrics.values(), this.#ended] });
  }
}

/** Sends a command to a worker, unless it is gone. */
export function sendCommand(worker: ChildProcess, command: WorkerCommand): void {
  // One that ends meanwhile needs nothing more.
  if (worker.connected) worker.send(command, () => {});
}
