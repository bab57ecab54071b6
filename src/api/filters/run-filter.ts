import type { Exchange } from '../request/exchange.ts';
import type { NamedFilter } from './filter.ts';

/** The names of filters' spans as kube-apiserver has them; others have none. */
const spanNames: Readonly<Record<string, string>> = {
  audit: 'audit',
  impersonate: 'impersonation',
  'fair-queuing': 'priorityandfairness',
  authorize: 'authorization',
};

/**
 * Runs a filter: alone, or as a step of the trace that the client asked for and of the span of the
 * request. A filter that takes time is a step of the request too.
 */
export function runFilter(exchange: Exchange, { name, run }: NamedFilter): Promise<void> | void {
  const { span, trace } = exchange;
  if (!span && !trace) return noted(exchange, name, run(exchange));
  const timed = (): Promise<void> | void =>
    noted(exchange, name, trace ? trace.filter(name, () => run(exchange)) : run(exchange));
  return span ? span.run(() => inSpan(exchange, name, timed)) : timed();
}

/** Notes the end of a filter that took more than a turn of the event loop. */
function noted(exchange: Exchange, name: string, pending: Promise<void> | void): Promise<void> | void {
  return pending?.then(() => exchange.step(`Filter ${name} done`));
}

function inSpan(
  { span, isConnection }: Exchange,
  name: string,
  work: () => Promise<void> | void,
): Promise<void> | void {
  const spanName = Object.hasOwn(spanNames, name) ? spanNames[name] : undefined;
  if (!span?.isRecorded || spanName === undefined || (isConnection && name === 'fair-queuing')) return work();
  const startMs = performance.now();
  const ended = (): void => span.add(spanName, startMs, performance.now());
  const pending = work();
  if (!pending) return ended();
  return pending.finally(ended);
}
