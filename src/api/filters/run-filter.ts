import type { Exchange } from '../request/exchange.ts';
import type { NamedFilter } from './filter.ts';

/** The span names of filters, as in kube-apiserver; other filters have no span. */
const spanNames: Readonly<Record<string, string>> = {
  audit: 'audit',
  impersonate: 'impersonation',
  'fair-queuing': 'priorityandfairness',
  authorize: 'authorization',
};

/**
 * Runs a filter. Its time is recorded in the trace that the client requested and in the span of the
 * request. The end of an asynchronous filter is also recorded as a step of the request.
 */
export function runFilter(exchange: Exchange, { name, run }: NamedFilter): Promise<void> | void {
  const { span, trace } = exchange;
  if (!span && !trace) return noted(exchange, name, run(exchange));
  const timed = (): Promise<void> | void =>
    noted(exchange, name, trace ? trace.filter(name, () => run(exchange)) : run(exchange));
  return span ? span.run(() => inSpan(exchange, name, timed)) : timed();
}

/** Records the end of an asynchronous filter as a step. */
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
