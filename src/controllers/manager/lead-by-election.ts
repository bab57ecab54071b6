import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createClient } from '../../client/client.ts';
import { type Lease, runLeaderElection } from '../../client/leader-election.ts';
import { identifiersOf } from '../../identifiers/identifiers.ts';
import { gaugeVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import type { ControllerManagerFlags } from './parse-flags.ts';

/** The candidate, and the work of the leader. */
interface ElectionOptions {
  readonly flags: ControllerManagerFlags;
  readonly settings: ConnectionSettings;
  readonly registry: MetricsRegistry;
  readonly lead: (signal: AbortSignal, isHeld: () => boolean) => Promise<void>;
  readonly log: (text: string) => void;
}

const masterStatus = { name: 'leader_election_master_status', help: 'Gauge of if the reporting system is master' };

/**
 * Leads while it holds the lease. Runs for election again after losing the lease, because a lost
 * connection is no reason to exit.
 */
export async function leadByElection(options: ElectionOptions, signal: AbortSignal): Promise<void> {
  const { flags, settings, registry, log } = options;
  const identifiers = identifiersOf(flags.identifiers);
  const name = `${identifiers.prefix}controller-manager`;
  const masters = gaugeVector(masterStatus, ['name']);
  registry.register(masters);
  const master = masters.with(name);
  const client = createClient(settings, { userAgent: `${name}/leader-election` });
  const group = `coordination.${identifiers.apiDomain}`;
  const leases = client.resource<Lease>({ group, version: 'v1', resource: 'leases' });
  const identity = `${hostname()}_${randomUUID()}`;
  const lead = async (leading: AbortSignal, isHeld: () => boolean): Promise<void> => {
    log('elected as leader');
    master.value = 1;
    try {
      await options.lead(leading, isHeld);
    } finally {
      master.value = 0;
    }
  };
  try {
    while (!signal.aborted) {
      const outcome = await runLeaderElection(
        {
          leases,
          namespace: `${identifiers.prefix}system`,
          name,
          identity,
          leaseDurationMs: flags['leader-elect-lease-duration'],
          renewDeadlineMs: flags['leader-elect-renew-deadline'],
          retryPeriodMs: flags['leader-elect-retry-period'],
          lead,
          onError: (error) => log(`leader election failed: ${error instanceof Error ? error.message : String(error)}`),
        },
        signal,
      );
      log(`leader election of ${identity}: ${outcome}`);
    }
  } finally {
    await client.close();
  }
}
