import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Called with the number of spans that were not sent, and why. */
export type OnLost = (spans: number, error: Error) => void;

/** An exporter that reports lost spans, and does not wait for the network when it is closed. */
export function boundedExporter(exporter: SpanExporter, onLost: OnLost): SpanExporter {
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        if (result.error && spans.length > 0) onLost(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
