import { type ExpositionFormat, openMetricsFormat, textFormat } from '../../metrics/exposition-format.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { methodNotAllowed } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { type MediaRange, parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import { sendBytes } from '../../http-protocol/responses/send-bytes.ts';

/** Shorter responses are not compressed: they fit into one packet. */
const gzipFromBytes = 1_400;

/**
 * Handles `/metrics` (spec 4.9) and other paths with metrics. Answers in OpenMetrics to a client
 * that accepts it and no text, else in the text format of Prometheus, whatever it accepts.
 * Prometheus prefers OpenMetrics, which kube-apiserver does not have: rules and dashboards for it
 * select buckets such as `le="1"`, and OpenMetrics spells that `1.0`.
 */
export function handleMetrics(registry: MetricsRegistry): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { method, headers } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    const format = formatOf(headers.accept ?? '');
    const body = await registry.encode(format);
    await sendBytes(exchange, { status: 200, contentType: format.mediaType, body, gzipFromBytes });
  };
}

function formatOf(accept: string): ExpositionFormat {
  const ranges = parseAccept(accept);
  return ranges.some(isOpenMetrics) && !ranges.some(isText) ? openMetricsFormat : textFormat;
}

function isText({ type, subtype }: MediaRange): boolean {
  return type === 'text' && subtype === 'plain';
}

function isOpenMetrics({ type, subtype, parameters }: MediaRange): boolean {
  const version = parameters.get('version') ?? '1.0.0';
  return type === 'application' && subtype === 'openmetrics-text' && version === '1.0.0';
}
