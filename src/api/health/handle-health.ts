import type { HealthMetrics } from '../metrics/health-metrics.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';

/** A health check. `check` throws or rejects if it fails; the error is only logged. */
export interface HealthCheck {
  readonly name: string;
  /** True while a failure only means that the server is still starting: it is not logged. */
  readonly isPending?: () => boolean;
  check(): Promise<void> | void;
}

/** The result of a check. */
interface Outcome {
  readonly name: string;
  readonly result: 'ok' | 'failed' | 'excluded';
}

/** A logger for failed checks. */
interface HealthLog {
  warn(details: object, message: string): void;
}

/** The dependencies of a health path. */
interface HealthOptions {
  readonly checks: readonly HealthCheck[];
  readonly log: HealthLog;
  readonly metrics: Pick<RequestMetrics, 'probed'>;
  readonly healthMetrics: HealthMetrics;
}

/**
 * Handles a health path, such as `/livez` for the name `livez`, and the path of each check below it
 * (spec 4.9), but no others; the names of checks may contain slashes. Probes use the status code.
 * Any method is accepted.
 */
export function handleHealth(
  name: string,
  { checks, log, metrics, healthMetrics }: HealthOptions,
): (exchange: Exchange) => Promise<void> {
  const path = `/${name}`;
  const probes = checks.map((check) => sharedProbe(check, log, healthMetrics.of(name, check.name)));
  return (exchange) => {
    const { decoded } = exchange.path;
    const probe = probes.find((candidate) => decoded === `${path}/${candidate.name}`);
    if (probe) return answerOne(exchange, probe);
    metrics.probed(exchange, path);
    return answerAll(exchange, name, probes);
  };
}

/** A check that does not run concurrently with itself. */
interface Probe {
  readonly name: string;
  run(): Promise<Outcome>;
}

/**
 * Requests during a running check share its outcome, so that any number of requests costs the store
 * one call. A failure is logged once, until its reason changes: probes repeat it each second.
 */
function sharedProbe(check: HealthCheck, log: HealthLog, record: (succeeded: boolean) => void): Probe {
  let pending: Promise<Outcome> | undefined;
  let logged: string | undefined;
  const forget = (): void => {
    pending = undefined;
  };
  return { name: check.name, run: () => (pending ??= observed().finally(forget)) };

  async function observed(): Promise<Outcome> {
    const { name } = check;
    const reason = await problemOf(check);
    if (reason !== undefined && reason !== logged && !check.isPending?.()) {
      log.warn({ check: name, reason }, 'health check failed');
      logged = reason;
    }
    if (reason === undefined) logged = undefined;
    record(reason === undefined);
    return { name, result: reason === undefined ? 'ok' : 'failed' };
  }
}

async function answerOne(exchange: Exchange, probe: Probe): Promise<void> {
  const { result } = await probe.run();
  if (result === 'ok') sendText(exchange, 200, 'ok');
  else sendText(exchange, 500, 'internal server error: reason withheld\n');
}

async function answerAll(exchange: Exchange, name: string, probes: readonly Probe[]): Promise<void> {
  const { query } = exchange;
  const excluded = new Set(query.getAll('exclude'));
  const outcomes = await Promise.all(
    probes.map((probe) => (excluded.has(probe.name) ? excludedOutcome(probe) : probe.run())),
  );
  const failed = outcomes.some(({ result }) => result === 'failed');
  if (!failed && query.get('verbose') === null) return sendText(exchange, 200, 'ok');
  const known = new Set(probes.map((probe) => probe.name));
  const unmatched = [...excluded].filter((exclude) => !known.has(exclude));
  const lines = [...outcomes.map(lineOf), ...warningOf(unmatched), `${name} check ${failed ? 'failed' : 'passed'}`];
  sendText(exchange, failed ? 500 : 200, `${lines.join('\n')}\n`);
}

function excludedOutcome({ name }: Probe): Promise<Outcome> {
  return Promise.resolve({ name, result: 'excluded' });
}

/** The reason why a check fails; undefined if it passes. */
async function problemOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function lineOf({ name, result }: Outcome): string {
  if (result === 'failed') return `[-]${name} failed: reason withheld`;
  return result === 'excluded' ? `[+]${name} excluded: ok` : `[+]${name} ok`;
}

function warningOf(unmatched: readonly string[]): string[] {
  if (unmatched.length === 0) return [];
  const list = unmatched
    .toSorted()
    .map((name) => JSON.stringify(name))
    .join(',');
  return [`warn: some health checks cannot be excluded: no matches for ${list}`];
}

function sendText(exchange: Exchange, status: number, text: string): void {
  sendAsItIs(exchange, { status, contentType: 'text/plain; charset=utf-8', body: Buffer.from(text) });
}
