import { randomInt } from 'node:crypto';
import type { ExchangeEnd } from '../../http-protocol/requests/http-exchange.ts';
import type { Log } from '../../http-protocol/requests/log.ts';
import { shownPath } from '../request/shown-path.ts';
import type { OnEnded } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { tracedVerb, verbFields } from '../request/verb-fields.ts';

/** The duration from which requests are logged with their steps, as in kube-apiserver. */
const slowMs = 500;

/**
 * The control characters, which clients can put into paths and names. A line feed would forge a
 * line.
 */
const controls = /[\p{Cc}\u2028\u2029]/gu;

/** A step of a request, and the time since the step before it. */
interface TimedStep {
  readonly name: string;
  readonly ms: number;
  /** The end of the step, as of `performance.now()`. */
  readonly atMs: number;
}

/** Returns a function that logs slow requests. A fast request costs one comparison. */
export function slowRequestLog(log: Log): OnEnded {
  return (exchange, end) => {
    if (end.durationMs >= slowMs) logSlow(exchange, end, log);
  };
}

function logSlow(exchange: Exchange, end: ExchangeEnd, log: Log): void {
  const { openedMs, user, auditId, verb } = exchange;
  const steps = stepsOf(exchange);
  const fields: Readonly<Record<string, string>> = {
    ...verbFields(exchange),
    url: shownPath(exchange),
    user: user.username,
  };
  const name = tracedVerb(verb) ?? verb;
  const details = {
    auditId,
    user: user.username,
    verb,
    resource: fields['resource'],
    code: end.status,
    durationMs: Math.round(end.durationMs),
    steps: steps.map(({ name: step, ms }) => ({ step, ms: Math.round(ms) })),
  };
  log.info(details, traceText({ name, fields, openedMs, durationMs: end.durationMs, steps }));
}

function stepsOf({ steps, openedMs }: Exchange): readonly TimedStep[] {
  const timed: TimedStep[] = [];
  let beforeMs = openedMs;
  for (let index = 0; index + 1 < steps.length; index += 2) {
    const atMs = Number(steps[index + 1]);
    timed.push({ name: String(steps[index]), ms: atMs - beforeMs, atMs });
    beforeMs = atMs;
  }
  return timed;
}

interface TracedRequest {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly openedMs: number;
  readonly durationMs: number;
  readonly steps: readonly TimedStep[];
}

/**
 * The lines of a trace as kube-apiserver writes them. Only steps that exceed their share of the
 * threshold are listed, or all steps if none does.
 */
function traceText({ name, fields, openedMs, durationMs, steps }: TracedRequest): string {
  const mark = `Trace[${randomInt(2 ** 31)}]:`;
  const shownFields = Object.entries(fields).map(
    ([field, value]) => `${field}:${value.replaceAll(controls, '\ufffd')}`,
  );
  const total = Math.floor(durationMs);
  const share = slowMs / (steps.length + 1);
  const long = steps.filter(({ ms }) => ms >= share);
  const lines = (long.length > 0 ? long : steps).map(
    (step) => `${mark} ---${JSON.stringify(step.name)} ${Math.floor(step.ms)}ms (${clockTime(step.atMs)})`,
  );
  return [
    `${mark} ${JSON.stringify(name)} ${shownFields.join(',')} (${dateTime(openedMs)}) (total time: ${total}ms):`,
    ...lines,
    `${mark} [${total}ms] [${total}ms] END`,
  ].join('\n');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateTime(ms: number): string {
  const date = new Date(performance.timeOrigin + ms);
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${day}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()} ${clockTime(ms)}`;
}

/** The time of day of a time of `performance.now()`. */
function clockTime(ms: number): string {
  return new Date(performance.timeOrigin + ms).toISOString().slice('2026-01-01T'.length, -1);
}
