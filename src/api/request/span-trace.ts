import type { Trace } from '../../meta/trace.ts';
import type { Span } from '../../tracing/span.ts';
import type { Exchange } from './exchange.ts';

/**
 * Takes the steps of admission for the trace that a client asked for, and for the span of the
 * request; undefined if neither wants them.
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

/** Makes a span of each plugin. The spans of webhooks are opened where they are called. */
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
