import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import { shownPath } from '../request/shown-path.ts';
import type { Exchange } from '../request/exchange.ts';
import { tracedVerb, verbFields } from '../request/verb-fields.ts';

/** Runs a verb handler in a span. */
export function traceVerb(
  tracing: Tracing,
  exchange: Exchange,
  handle: () => Promise<void> | void,
): Promise<void> | void {
  const { span, path } = exchange;
  if (!span) return handle();
  const name = path.target ? tracedVerb(exchange.verb) : undefined;
  if (name === undefined) return span.run(handle);
  const attributes = (): SpanAttributes => ({ ...verbFields(exchange), url: shownPath(exchange) });
  return span.run(() => tracing.child(name, attributes, handle));
}
