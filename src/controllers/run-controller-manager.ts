import { whenAborted } from '../async/when-aborted.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createClient } from '../client/client.ts';
import { type Lease, runLeaderElection } from '../client/leader-election.ts';
import { loadClientConfig } from '../outbound/load-client-config.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { type ControllerManagerFlags, parseFlags } from './parse-flags.ts';
import { type HealthServer, startHealthServer } from './start-health-server.ts';

/**
 * The program `cl-controller-manager`: serves health, runs for election on a Lease, and runs the
 * controllers while it leads; there are none yet. SIGTERM or SIGINT releases the lease and exits
 * with 0; a second signal exits at once with 1.
 */
export async function runControllerManager(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  let health: HealthServer | undefined;
  try {
    health = await startHealthServer(flags['bind-address'], flags['health-port']);
    log(`serving health endpoints on ${health.url}`);
    await elect(flags, stop.signal);
  } catch (error) {
    process.stderr.write(`cl-controller-manager: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await health?.close();
  }
}

/**
 * Runs for election again after losing the lease, because a lost connection is no reason to exit.
 */
async function elect(flags: ControllerManagerFlags, signal: AbortSignal): Promise<void> {
  const identifiers = identifiersOf(flags.identifiers);
  const settings = await loadClientConfig(flags.clientconfig, { context: flags.context });
  const name = `${identifiers.prefix}controller-manager`;
  const client = createClient(settings, { userAgent: name });
  const leases = client.resource<Lease>({
    group: `coordination.${identifiers.apiDomain}`,
    version: 'v1',
    resource: 'leases',
    namespaced: true,
  });
  const identity = `${hostname()}_${randomUUID()}`;
  try {
    while (!signal.aborted) {
      const outcome = await runLeaderElection(
        { leases, namespace: `${identifiers.prefix}system`, name, identity, lead, onError: logError },
        signal,
      );
      log(`leader election of ${identity}: ${outcome}`);
    }
  } finally {
    await client.close();
  }
}

/** The controllers will run here. Until there are any, leading only holds the lease. */
function lead(signal: AbortSignal): Promise<void> {
  log('elected as leader');
  return whenAborted(signal);
}

function logError(error: unknown): void {
  log(`leader election failed: ${error instanceof Error ? error.message : String(error)}`);
}

function log(text: string): void {
  process.stdout.write(`${new Date().toISOString()} ${text}\n`);
}
