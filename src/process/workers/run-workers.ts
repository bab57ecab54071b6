import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { backOffMs, pause } from '../../async/timers.ts';
import { newDeferred } from '../../async/deferred.ts';
import { allocatorEnvironment } from '../../memory/allocator-environment.ts';
import { ConnectionSpreader } from './connection-spreader.ts';
import { slotVariable, startVariable, type WorkerMessage } from './worker-messages.ts';
import { sendCommand, WorkerMetrics } from './worker-metrics.ts';

/** A place for a worker. */
interface Slot {
  /** The number from 1, also of the worker's audit log. */
  readonly number: number;
  worker: ChildProcess | undefined;
  /** The workers in a row that ended soon. */
  failures: number;
}

/** The workers, and the means that they share. */
interface Workers {
  readonly args: readonly string[];
  /** The build of this process. */
  readonly build: string | undefined;
  readonly slots: readonly Slot[];
  readonly connections: ConnectionSpreader;
  readonly metrics: WorkerMetrics;
  readonly stopping: AbortController;
  /** All processes that run, also those that succeed others or are being succeeded. */
  readonly running: Set<ChildProcess>;
  /** True after a worker has served: until then a failure ends the program. */
  hasServed: boolean;
}

/** Names the build of the program: the file that is started names its parts by their contents. */
function readBuild(): string | undefined {
  try {
    return readFileSync(process.argv[1] ?? '', 'utf8');
  } catch {
    return undefined;
  }
}

/** A random ID of this start of the program, which its workers share: peers see one server. */
const programStart = randomUUID();

/** A worker that lives shorter counts as a failure, and its successor waits. */
const shortLifeMs = 10_000;
const restartDelay = { initialMs: 1_000, maximumMs: 30_000 };

function report(text: string): void {
  process.stderr.write(`cl-apiserver: ${text}\n`);
}

/**
 * Serves one port by several processes of this program, which get connections in turn; this process
 * serves none itself. A worker that ends is replaced. SIGHUP replaces all, one after the other,
 * without a refused connection; SIGTERM and SIGINT stop all gracefully, a second one at once. Exits
 * with the code of the first worker if that cannot start.
 */
export async function runWorkers(count: number, args: readonly string[]): Promise<void> {
  const slots = Array.from({ length: count }, (_, index): Slot => {
    return { number: index + 1, worker: undefined, failures: 0 };
  });
  const workers: Workers = {
    args,
    build: readBuild(),
    slots,
    connections: new ConnectionSpreader(),
    metrics: new WorkerMetrics(),
    stopping: new AbortController(),
    running: new Set(),
    hasServed: false,
  };
  const stop = (): void => void stopAll(workers);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  let restart: Promise<unknown> = Promise.resolve();
  // Registered before the workers start: without a handler the signal would end the program.
  process.on('SIGHUP', () => {
    restart = restart.then(() => restartAll(workers));
  });
  const started = startAll(workers);
  restart = started;
  process.stdout.write(`cl-apiserver: serving on ${await started} with ${count} workers\n`);
}

/** Starts all workers; resolves with the URL when they serve. Exits if the first cannot start. */
async function startAll(workers: Workers): Promise<string> {
  const [first, ...others] = workers.slots;
  if (!first) throw new RangeError('no slot for a worker');
  // The first worker makes the certificates and keys that all need.
  const url = await fill(workers, first).catch(() => process.exit(first.worker?.exitCode ?? 1));
  await Promise.all(others.map((slot) => fill(workers, slot).catch(() => {})));
  return url;
}

interface StartedWorker {
  readonly worker: ChildProcess;
  /** Resolves with the URL when it serves. Rejects if it ends before. */
  readonly serving: Promise<string>;
}

/** Starts a worker in an empty slot. */
function fill(workers: Workers, slot: Slot): Promise<string> {
  const { worker, serving } = start(workers, slot);
  slot.worker = worker;
  return serving;
}

/** Starts a worker for a slot, which may still have another one. */
function start(workers: Workers, slot: Slot): StartedWorker {
  const { args, connections, metrics, running } = workers;
  const worker = fork(process.argv[1] ?? '', args, {
    env: {
      ...allocatorEnvironment(process.env),
      [slotVariable]: String(slot.number),
      [startVariable]: programStart,
    },
    // Metrics have infinite bounds, which JSON has not.
    serialization: 'advanced',
  });
  running.add(worker);
  const startMs = performance.now();
  const serving = newDeferred<string>();
  serving.promise.catch(() => {});
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'listen') void open(connections, worker, message);
    else if (message.type === 'accepted') connections.accepted(worker, message.id);
    else if (message.type === 'closed') connections.closed(worker, message.id);
    else if (message.type === 'gather') metrics.gather(worker, message, [...running]);
    else if (message.type === 'leaving') metrics.leaving(worker, message.metrics);
    else if (message.type === 'sampled') metrics.sampled(worker, message.id, message.metrics);
    else {
      workers.hasServed = true;
      connections.add(worker);
      serving.resolve(message.url);
    }
  });
  worker.on('exit', (code: number, signal: string | null) => {
    running.delete(worker);
    connections.forget(worker);
    metrics.forget(worker);
    serving.reject(new Error(`worker ${slot.number} ended before it served`));
    const isShort = performance.now() - startMs < shortLifeMs;
    if (slot.worker === worker) void replace(workers, slot, { how: signal ?? `exit code ${code}`, isShort });
  });
  return { worker, serving: serving.promise };
}

async function open(
  connections: ConnectionSpreader,
  worker: ChildProcess,
  common: Extract<WorkerMessage, { readonly type: 'listen' }>,
): Promise<void> {
  const { port } = common;
  try {
    sendCommand(worker, { type: 'listening', port: await connections.listen(common) });
  } catch (error) {
    sendCommand(worker, { type: 'listening', port, error: error instanceof Error ? error.message : String(error) });
  }
}

/** Starts a successor of a worker that ended unasked. */
async function replace(
  workers: Workers,
  slot: Slot,
  { how, isShort }: { readonly how: string; readonly isShort: boolean },
): Promise<void> {
  const { signal } = workers.stopping;
  if (signal.aborted || !workers.hasServed) return;
  const lost = slot.worker;
  slot.failures = isShort ? slot.failures + 1 : 0;
  if (isReplaced(workers)) return endWithoutSuccessor(workers, slot, how);
  report(`worker ${slot.number} ended (${how}); starting another`);
  if (slot.failures > 1) await pause(backOffMs(slot.failures - 2, restartDelay), signal);
  // Meanwhile SIGHUP may have filled the slot.
  if (slot.worker === lost && !signal.aborted) await fill(workers, slot).catch(() => {});
}

/**
 * True if the files of the program were replaced since this process started: a worker of another
 * build might not understand it.
 */
function isReplaced({ build }: Workers): boolean {
  return readBuild() !== build;
}

/** The workers that are left go on. The last one ends the program, so that it is started again. */
function endWithoutSuccessor({ running }: Workers, { number }: Slot, how: string): void {
  report(`worker ${number} ended (${how}); the program was replaced: restart it to have all workers again`);
  if (running.size === 0) process.exit(1);
}

/** Each successor serves before its predecessor stops, so that no connection is refused. */
async function restartAll(workers: Workers): Promise<void> {
  if (isReplaced(workers)) {
    report('the program was replaced, so no worker is: restart it to run the new one');
    return;
  }
  for (const slot of workers.slots) {
    if (workers.stopping.signal.aborted) return;
    const { worker, serving } = start(workers, slot);
    try {
      await serving;
    } catch {
      report(`worker ${slot.number} could not be replaced; the present one goes on`);
      continue;
    }
    const before = slot.worker;
    slot.worker = worker;
    if (before) workers.connections.remove(before);
    await stopWorker(before, false);
  }
}

async function stopWorker(worker: ChildProcess | undefined, last: boolean): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  sendCommand(worker, { type: 'stop', last });
  await exited;
}

async function stopAll(workers: Workers): Promise<void> {
  const { running, connections, stopping } = workers;
  if (stopping.signal.aborted) {
    for (const worker of running) worker.kill('SIGKILL');
    process.exit(1);
  }
  stopping.abort();
  await Promise.all([...running].map((worker, index) => stopWorker(worker, index === 0)));
  connections.close();
  process.exit(0);
}
