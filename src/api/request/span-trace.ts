import type { Trace } from '../../meta/trace.ts';
import type { Span } from '../../tracing/span.ts';
import type { Exchange } from './exchange.ts';

/**
 * Returns a trace that passes the steps of admission to the trace requested by the client and to
 * the span of the request; undefined if there is neither.
 */
export function traceOf({ trace, span }: Pick<Exchange, 'trace' | 'span'>): Trace | undefined {
  if (!span?.isRecorded) return trace;
  const spans = spanTrace(span);
  if (!trace) return spans;
  return {
    everyPlugin: true,
    add(name, durationMs, decision) {
      trace.add(name, durationMs, decision);
      spans.add(name, durationMs, decision);
    },
  };
}

/** Creates a span of each plugin. Spans of webhook calls are created by the calls. */
function spanTrace(span: Span): Trace {
  return {
    everyPlugin: false,
    add(name, durationMs, decision) {
      if (!name.startsWith('plugin.')) return;
      const endMs = performance.now();
      // Without the reason of a refusal, which may quote the object.
      span.add(`admission ${name.slice('plugin.'.length)}`, endMs - durationMs, endMs, {
        decision: decision.split(':')[0] ?? '',
      });
    },
  };
}
