import type { ChildProcess } from 'node:child_process';
import type { FamilySnapshot } from '../../metrics/family-snapshot.ts';
import type { WorkerCommand } from './worker-messages.ts';

/** A worker that does not respond for this time is left out. */
const timeoutMs = 2_000;

/** A collection of the metrics of all workers but one. */
interface Gathering {
  readonly asker: ChildProcess;
  /** The asker's number of it. */
  readonly id: number;
  readonly metrics: (readonly FamilySnapshot[])[];
  readonly missing: Set<ChildProcess>;
  readonly timer: NodeJS.Timeout;
}

/** Passes the metrics of workers to the one whose `/metrics` is read. */
export class WorkerMetrics {
  readonly #gatherings = new Map<number, Gathering>();
  #lastId = 0;

  /** Asks the others for the metrics that a worker wants to have. */
  gather(asker: ChildProcess, id: number, workers: readonly ChildProcess[]): void {
    const others = workers.filter((worker) => worker !== asker);
    const own = ++this.#lastId;
    const timer = setTimeout(() => this.#end(own), timeoutMs);
    this.#gatherings.set(own, { asker, id, metrics: [], missing: new Set(others), timer });
    for (const worker of others) send(worker, { type: 'sample', id: own });
    if (others.length === 0) this.#end(own);
  }

  /** Takes the metrics of a worker. */
  sampled(worker: ChildProcess, id: number, metrics: readonly FamilySnapshot[]): void {
    const gathering = this.#gatherings.get(id);
    if (!gathering?.missing.delete(worker)) return;
    gathering.metrics.push(metrics);
    if (gathering.missing.size === 0) this.#end(id);
  }

  /** Waits no longer for a worker that has ended. */
  forget(worker: ChildProcess): void {
    for (const [id, { missing }] of this.#gatherings) {
      if (missing.delete(worker) && missing.size === 0) this.#end(id);
    }
  }

  #end(own: number): void {
    const gathering = this.#gatherings.get(own);
    if (!gathering) return;
    this.#gatherings.delete(own);
    clearTimeout(gathering.timer);
    const { asker, id, metrics } = gathering;
    send(asker, { type: 'gathered', id, metrics });
  }
}

function send(worker: ChildProcess, command: WorkerCommand): void {
  // One that ends meanwhile needs nothing more.
  if (worker.connected) worker.send(command, () => {});
}
