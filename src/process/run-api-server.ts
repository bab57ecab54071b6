import { workerSlot } from './workers/worker-messages.ts';
import { workersOf } from './workers/workers-of.ts';

/**
 * The program `cl-apiserver`: parses the flags, serves until SIGTERM or SIGINT, and stops
 * gracefully: `/readyz` fails first, watches end, requests drain, exit code 0. A second signal
 * exits immediately with 1. If the server cannot start, one line with the error is printed and the
 * exit code is 1. With `--workers` it serves by several processes.
 */
export async function runApiServer(args: readonly string[]): Promise<void> {
  const workers = workersOf(args);
  // The process that starts the others needs no more than that.
  if (workers > 1 && workerSlot() === undefined) {
    const { runWorkers } = await import('./workers/run-workers.ts');
    return runWorkers(workers, args);
  }
  const { serveUntilStopped } = await import('./serve-until-stopped.ts');
  return serveUntilStopped(args, workers);
}
