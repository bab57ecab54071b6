/** The identity of the parent span in another process (W3C Trace Context). */
interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const format = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The longest `tracestate` that is propagated (W3C Trace Context, 3.3.1.5). */
export const longestTraceState = 512;

/** Parses a `traceparent` header; undefined if it is missing or invalid. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', traceFlags = '', rest] = format.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(traceFlags, 16) & 1 };
}

/** Writes a `traceparent` header. */
export function formatTraceParent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${traceFlags & 1 ? '01' : '00'}`;
}
