import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { type FamilySnapshot, mergeSnapshots, snapshotOf } from '../../../../src/metrics/family-snapshot.ts';
import { counterVector, gaugeVector } from '../../../../src/metrics/metric-vector.ts';
import type { WorkerCommand } from '../../../../src/process/workers/worker-messages.ts';
import { WorkerMetrics } from '../../../../src/process/workers/worker-metrics.ts';

type Snapshots = readonly FamilySnapshot[];

/** A worker with its requests so far and its open connections. */
class FakeWorker {
  readonly commands: WorkerCommand[] = [];
  readonly process: ChildProcess;
  requests = 0;
  connections = 0;

  constructor() {
    const send = (command: WorkerCommand): boolean => this.commands.push(command) > 0;
    // Nothing else of a process is used.
    this.process = { connected: true, send } as unknown as ChildProcess;
  }

  metrics(): Snapshots {
    const total = counterVector({ name: 'requests_total', help: 'Requests.' }, []);
    total.with().add(this.requests);
    const open = gaugeVector({ name: 'connections', help: 'Connections.' }, []);
    open.with().value = this.connections;
    return [total, open].map(snapshotOf);
  }

  /** Takes the commands that came since the last call. */
  take(): readonly WorkerCommand[] {
    return this.commands.splice(0);
  }
}

describe('the metrics of workers', () => {
  let metrics: WorkerMetrics;
  let workers: FakeWorker[];
  const respond = (worker: FakeWorker): void => {
    for (const command of worker.take()) {
      if (command.type === 'sample') metrics.sampled(worker.process, command.id, worker.metrics());
    }
  };
  /** The values that a worker shows. */
  const shown = (asker: FakeWorker): Record<string, number> => {
    const [command] = asker.take();
    assert.ok(command?.type === 'gathered');
    const merged = mergeSnapshots([asker.metrics(), ...command.metrics]);
    return Object.fromEntries(merged.map((family) => [family.name, [...family.samples()][0]?.value ?? 0]));
  };
  const gather = (asker: FakeWorker): void =>
    metrics.gather(
      asker.process,
      { id: 1, metrics: asker.metrics() },
      workers.map((worker) => worker.process),
    );

  beforeEach(() => {
    metrics = new WorkerMetrics();
    workers = [new FakeWorker(), new FakeWorker()];
    for (const worker of workers) Object.assign(worker, { requests: 10, connections: 2 });
  });

  it('keep the counters of a worker that has stopped, and not its gauges', () => {
    const [one, other] = workers as [FakeWorker, FakeWorker];
    other.requests = 15;
    metrics.leaving(other.process, other.metrics());
    metrics.forget(other.process);
    workers = [one];
    gather(one);
    assert.deepEqual(shown(one), { requests_total: 25, connections: 2 });
  });

  it('have the counters of a worker that crashed as they were last read, by whichever', () => {
    const [one, other] = workers as [FakeWorker, FakeWorker];
    gather(other);
    respond(one);
    assert.deepEqual(shown(other), { requests_total: 20, connections: 4 });
    other.requests = 12;
    metrics.forget(other.process);
    workers = [one];
    gather(one);
    assert.deepEqual(shown(one), { requests_total: 20, connections: 2 });
  });

  it('count a worker once that ends while they are gathered', () => {
    const [one, other] = workers as [FakeWorker, FakeWorker];
    const third = new FakeWorker();
    workers.push(third);
    gather(one);
    respond(other);
    metrics.forget(other.process);
    metrics.forget(third.process);
    assert.deepEqual(shown(one), { requests_total: 20, connections: 2 });
  });
});
