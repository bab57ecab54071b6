import type { Logger } from 'pino';
import { createInformerMetrics } from '../../client/informers/informer-metrics.ts';
import { createQueueMetrics } from '../../client/queue/queue-metrics.ts';
import { identifiersOf } from '../../identifiers/identifiers.ts';
import { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { nodeMetrics } from '../../metrics/node-metrics.ts';
import { processMetrics } from '../../metrics/process-metrics.ts';
import { loadLazyModules } from '../../package/lazy-module.ts';
import { loadClientConfig } from '../../outbound/config/load-client-config.ts';
import { type ControllerManagerFlags, parseFlags } from './controller-manager-flags.ts';
import { readControllerFiles } from './read-controller-files.ts';
import { type ErrorSource, startControllers } from './start-controllers.ts';
import { createLog } from '../../log/create-log.ts';
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
import { errorMessage } from '../../status/error-message.ts';

/** The candidate, and the work of the leader. */
interface ElectionOptions {
  readonly flags: ControllerManagerFlags;
  readonly settings: ConnectionSettings;
  readonly registry: MetricsRegistry;
  readonly lead: (signal: AbortSignal, isHeld: () => boolean) => Promise<void>;
  readonly log: Logger;
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
    log.info({ identity }, 'elected as leader');
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
          onError: (err) => log.warn({ err }, 'the candidate of the election could not be renewed'),
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
          onError: (err) => log.warn({ err }, 'leader election failed'),
        },
        signal,
      );
      log.info({ identity, outcome }, 'leader election ended');
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
  const logs = createLog({
    logLevel: flags['log-level'],
    loggingFormat: flags['logging-format'],
    logVerbosity: flags.v,
    logVerbosityByComponent: flags.vmodule,
  });
  const log = logs.of('manager');
  try {
    tracing = await openManagerTracing(flags, log);
    health = await startHealth(flags, registry);
    if (health) log.info({ url: health.url }, 'serving health endpoints');
    await Promise.all([runControllers(flags, { registry, tracing, logs }, stop.signal), loadAllModules(log)]);
  } catch (error) {
    process.stderr.write(`cl-controller-manager: ${lineOf(errorMessage(error))}\n`);
    process.exitCode = 1;
  } finally {
    await tracing?.close();
    await health?.close();
  }
}

/** Opens tracing if the flags configure it. */
async function openManagerTracing(flags: ControllerManagerFlags, log: Logger): Promise<Tracing | undefined> {
  const endpoint = flags['tracing-endpoint'];
  if (endpoint === undefined) return undefined;
  let isReported = false;
  return openTracing({
    endpoint,
    samplingRatePerMillion: flags['tracing-sampling-rate-per-million'],
    serviceName: 'controller-manager',
    instanceId: hostname(),
    onLost(spans, error) {
      if (!isReported) log.warn({ err: error, spans }, 'spans could not be sent to the collector of traces');
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

/** The parts of the program that the controllers use. */
interface ManagerParts {
  readonly registry: MetricsRegistry;
  readonly tracing: Tracing | undefined;
  readonly logs: { of(component: string): Logger };
}

/** Runs the controllers, by election unless that is off, until the signal aborts. */
async function runControllers(
  flags: ControllerManagerFlags,
  { registry, tracing, logs }: ManagerParts,
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
    const onError = (err: unknown, source: ErrorSource): void => {
      if ('informer' in source) logs.of('informers').warn({ err, resource: source.informer }, 'an informer failed');
      else logs.of(source.controller).warn({ err }, 'a step failed, and is tried again');
    };
    const stepsLog = (controller: string): Logger | undefined => {
      const log = logs.of(controller);
      return log.isLevelEnabled('debug') ? log : undefined;
    };
    const controllers = startControllers(
      { settings, identifiers, options: flags, ...files, metrics, informerMetrics, tracing, onError, stepsLog, isHeld },
      leading,
    );
    logs.of('manager').info({ controllers: controllers.names }, 'running controllers');
    await controllers.ended;
  };
  await (flags['leader-elect']
    ? leadByElection({ flags, settings, registry, lead, log: logs.of('election') }, signal)
    : lead(signal));
}

/** An upgrade may replace the files of the program while it runs. */
async function loadAllModules(log: Logger): Promise<void> {
  try {
    await loadLazyModules();
  } catch (err) {
    log.error({ err }, 'a part of the program cannot be loaded; restart it');
  }
}

/** A text in one line, without characters that a terminal would obey. */
function lineOf(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '; ').replaceAll(/\p{Cc}/gu, '\ufffd');
}
