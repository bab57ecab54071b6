import { createInformerMetrics } from '../../client/informers/informer-metrics.ts';
import { createQueueMetrics } from '../../client/queue/queue-metrics.ts';
import { identifiersOf } from '../../identifiers/identifiers.ts';
import { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { nodeMetrics } from '../../metrics/node-metrics.ts';
import { processMetrics } from '../../metrics/process-metrics.ts';
import { loadLateModules } from '../../package/late-module.ts';
import { loadClientConfig } from '../../outbound/config/load-client-config.ts';
import { type ControllerManagerFlags, parseFlags } from './controller-manager-flags.ts';
import { readControllerFiles } from './read-controller-files.ts';
import { startControllers } from './start-controllers.ts';
import { healthCertificate } from './health-certificate.ts';
import { type HealthServer, startHealthServer } from './start-health-server.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { builtInResources } from '../../client/built-in-resources.ts';
import { keepLeaseCandidate } from '../../client/lease-candidate.ts';
import { newestRelease } from '../../scheme/api-release.ts';
import { createClient } from '../../client/client.ts';
import { type Lease, runLeaderElection } from '../../client/leader-election.ts';
import { gaugeVector } from '../../metrics/metric-vector.ts';
import { openTracing } from '../../tracing/open-tracing.ts';
import type { Tracing } from '../../tracing/span.ts';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';

/** The candidate, and the work of the leader. */
interface ElectionOptions {
  readonly flags: ControllerManagerFlags;
  readonly settings: ConnectionSettings;
  readonly registry: MetricsRegistry;
  readonly lead: (signal: AbortSignal, isHeld: () => boolean) => Promise<void>;
  readonly log: (text: string) => void;
}

const masterStatus = {
  name: 'leader_election_master_status',
  help: 'Gauge of if the reporting system is master',
  stability: 'none',
} as const;

/**
 * Leads while it holds the lease. Runs for election again after losing the lease, because a lost
 * connection is no reason to exit.
 */
async function leadByElection(options: ElectionOptions, signal: AbortSignal): Promise<void> {
  const { flags, settings, registry, log } = options;
  const identifiers = identifiersOf(flags.identifiers);
  const name = flags['leader-elect-resource-name'] ?? `${identifiers.prefix}controller-manager`;
  const masters = gaugeVector(masterStatus, ['name']);
  registry.register(masters);
  const master = masters.with(name);
  const client = createClient(settings, { userAgent: `${name}/leader-election` });
  const group = `coordination.${identifiers.apiDomain}`;
  const leases = client.resource<Lease>({ group, version: 'v1', resource: 'leases' });
  const identity = `${hostname()}_${randomUUID()}`;
  const namespace = flags['leader-elect-resource-namespace'] ?? `${identifiers.prefix}system`;
  const coordinated = flags['coordinated-leader-election'];
  const lead = async (leading: AbortSignal, isHeld: () => boolean): Promise<void> => {
    log('elected as leader');
    master.value = 1;
    try {
      await options.lead(leading, isHeld);
    } finally {
      master.value = 0;
    }
  };
  const candidacy = coordinated
    ? keepLeaseCandidate(
        {
          candidates: client.resource(builtInResources(flags.identifiers).leasecandidates),
          namespace,
          name: identity,
          leaseName: name,
          binaryVersion: `${newestRelease}.0`,
          emulationVersion: `${flags['emulated-release']}.0`,
          onError: (error) => log(`the candidate of the election could not be renewed: ${messageOf(error)}`),
        },
        signal,
      )
    : Promise.resolve();
  try {
    while (!signal.aborted) {
      const outcome = await runLeaderElection(
        {
          leases,
          namespace,
          name,
          identity,
          leaseDurationMs: flags['leader-elect-lease-duration'],
          renewDeadlineMs: flags['leader-elect-renew-deadline'],
          retryPeriodMs: flags['leader-elect-retry-period'],
          lead,
          coordinated,
          onError: (error) => log(`leader election failed: ${error instanceof Error ? error.message : String(error)}`),
        },
        signal,
      );
      log(`leader election of ${identity}: ${outcome}`);
    }
    await candidacy;
  } finally {
    await client.close();
  }
}

/**
 * The program `cl-controller-manager`: serves health and metrics, runs for election on a Lease, and
 * runs the controllers while it leads. SIGTERM or SIGINT ends the controllers, releases the lease
 * and exits with 0; a second signal exits at once with 1.
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
  const registry = new MetricsRegistry({ disabled: flags['disabled-metrics'] });
  registry.register(...processMetrics, ...nodeMetrics());
  let health: HealthServer | undefined;
  let tracing: Tracing | undefined;
  try {
    tracing = await openManagerTracing(flags);
    health = await startHealth(flags, registry);
    if (health) writeLine(`serving health endpoints on ${health.url}`);
    await Promise.all([runControllers(flags, { registry, tracing }, stop.signal), keepLateModules()]);
  } catch (error) {
    process.stderr.write(`cl-controller-manager: ${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await tracing?.close();
    await health?.close();
  }
}

/** Opens tracing if the flags configure it. */
async function openManagerTracing(flags: ControllerManagerFlags): Promise<Tracing | undefined> {
  const endpoint = flags['tracing-endpoint'];
  if (endpoint === undefined) return undefined;
  let isReported = false;
  return openTracing({
    endpoint,
    samplingRatePerMillion: flags['tracing-sampling-rate-per-million'],
    serviceName: 'controller-manager',
    instanceId: hostname(),
    onLost(spans, error) {
      if (!isReported) writeLine(`${spans} spans could not be sent to the collector of traces: ${messageOf(error)}`);
      isReported = true;
    },
  });
}

/** Serves the health endpoints; undefined if the flags disable them. */
async function startHealth(
  flags: ControllerManagerFlags,
  registry: MetricsRegistry,
): Promise<HealthServer | undefined> {
  const { 'bind-address': host, 'health-port': plain, 'secure-port': secure } = flags;
  if (secure === 0) return undefined;
  const tls = secure === undefined ? undefined : await healthCertificate(flags);
  return startHealthServer({ host, port: secure ?? plain, reusePort: flags['permit-port-sharing'], tls }, registry);
}

/** Runs the controllers, by election unless that is off, until the signal aborts. */
async function runControllers(
  flags: ControllerManagerFlags,
  { registry, tracing }: { readonly registry: MetricsRegistry; readonly tracing: Tracing | undefined },
  signal: AbortSignal,
): Promise<void> {
  const loaded = await loadClientConfig(flags.clientconfig, { context: flags.context });
  const settings = flags.master === undefined ? loaded : { ...loaded, server: flags.master };
  const files = await readControllerFiles(flags);
  const identifiers = identifiersOf(flags.identifiers);
  const metrics = createQueueMetrics();
  const informerMetrics = createInformerMetrics();
  registry.register(...metrics.families, ...informerMetrics.families);
  const lead = async (leading: AbortSignal, isHeld?: () => boolean): Promise<void> => {
    const onError = (error: unknown, controller: string): void => writeLine(`${controller}: ${messageOf(error)}`);
    const controllers = startControllers(
      { settings, identifiers, options: flags, ...files, metrics, informerMetrics, tracing, onError, isHeld },
      leading,
    );
    writeLine(`running ${controllers.names.join(', ')}`);
    await controllers.ended;
  };
  await (flags['leader-elect']
    ? leadByElection({ flags, settings, registry, lead, log: writeLine }, signal)
    : lead(signal));
}

/** An upgrade may replace the files of the program while it runs. */
async function keepLateModules(): Promise<void> {
  try {
    await loadLateModules();
  } catch (error) {
    writeLine(`a part of the program cannot be loaded; restart it: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function writeLine(text: string): void {
  process.stdout.write(`${new Date().toISOString()} ${text}\n`);
}
