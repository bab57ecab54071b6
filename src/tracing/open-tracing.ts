import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as ApiSpan, SpanStatusCode, Tracer } from '@opentelemetry/api';
import type { BasicTracerProvider, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { defaultEndpoint, exporterUrl, samplesInAll } from './exporter-url.ts';
import {
  closeTimeoutMs,
  type RootSpan,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type TraceHeaders,
  type Tracing,
} from './span.ts';

/** The collector, and the identity of the process. */
export interface TracingOptions {
  /** The address of the collector; absent: the default of OTLP. */
  readonly endpoint?: string | undefined;
  /**
   * How many traces of a million that begin here are recorded; absent or 0: only traces that a
   * trusted client records.
   */
  readonly samplingRatePerMillion?: number | undefined;
  readonly serviceName: string;
  readonly instanceId: string;
  /** Called when spans could not be sent. */
  readonly onLost: OnLost;
}

/** The most spans that wait for the collector; further ones are dropped. A span takes some 2 KB. */
const mostWaiting = 2_048;
const batchSpans = 512;
const batchDelayMs = 1_000;
const exportTimeoutMs = 10_000;

/** The limit of attribute values: clients choose paths and names. The SDK cuts no span names. */
const longestText = 1_000;
const spanLimits = {
  attributeValueLengthLimit: longestText,
  attributeCountLimit: 64,
  eventCountLimit: 128,
  linkCountLimit: 8,
};

/** Loads the SDK; only processes that trace do so, at their start. */
const loadSdk = async () => {
  const [api, sdk, resources, exporter, grpc] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-grpc'),
    import('@grpc/grpc-js'),
  ]);
  return { api, sdk, resources, exporter, grpc };
};

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Opens the tracing of a process. Nothing is registered globally: a process may have several. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const url = exporterUrl(options.endpoint ?? defaultEndpoint);
  const sdk = await loadSdk();
  const { OTLPTraceExporter } = sdk.exporter;
  const exporter = boundedExporter(
    new OTLPTraceExporter({ url, credentials: sdk.grpc.credentials.createInsecure(), timeoutMillis: exportTimeoutMs }),
    options.onLost,
  );
  // Makes the exporter load its lazy parts now: the files of the package may be replaced later.
  exporter.export([], () => {});
  return new SdkTracing(sdk, providerOf(sdk, exporter, options));
}

function providerOf(
  { sdk, resources }: Sdk,
  exporter: ReturnType<typeof boundedExporter>,
  { samplingRatePerMillion: rate = 0, serviceName, instanceId }: TracingOptions,
): BasicTracerProvider {
  const { ParentBasedSampler, TraceIdRatioBasedSampler, AlwaysOffSampler, BatchSpanProcessor } = sdk;
  return new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instanceId }),
    sampler: new ParentBasedSampler({
      root: rate > 0 ? new TraceIdRatioBasedSampler(rate / samplesInAll) : new AlwaysOffSampler(),
    }),
    spanLimits,
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: mostWaiting,
        maxExportBatchSize: batchSpans,
        scheduledDelayMillis: batchDelayMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
}

class SdkTracing implements Tracing {
  readonly #api: Sdk['api'];
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #running = new AsyncLocalStorage<SdkSpan>();

  constructor({ api }: Sdk, provider: BasicTracerProvider) {
    this.#api = api;
    this.#provider = provider;
    this.#tracer = provider.getTracer('cl-apiserver');
  }

  root({ name, kind, startMs, attributes, traceparent, tracestate, isTrusted = false }: RootSpan): Span {
    const { trace, ROOT_CONTEXT, createTraceState } = this.#api;
    const parent = parseTraceParent(traceparent);
    const state = tracestate !== undefined && tracestate.length <= longestTraceState ? tracestate : undefined;
    const remote = parent && {
      ...parent,
      isRemote: true,
      ...(state === undefined ? {} : { traceState: createTraceState(state) }),
    };
    const options = { kind: this.#kindOf(kind), startTime: startMs };
    const shownName = name.slice(0, longestText);
    const span =
      remote && isTrusted
        ? this.#tracer.startSpan(shownName, options, trace.setSpanContext(ROOT_CONTEXT, remote))
        : this.#tracer.startSpan(
            shownName,
            { ...options, ...(remote ? { links: [{ context: remote }] } : {}) },
            ROOT_CONTEXT,
          );
    const opened = this.#opened(span);
    if (opened.isRecorded) opened.set(attributes());
    return opened;
  }

  child<Result>(
    name: string,
    attributes: () => SpanAttributes,
    work: () => Result,
    kind: SpanKind = 'internal',
  ): Result {
    const parent = this.#running.getStore();
    if (!parent?.isRecorded) return work();
    const options = { kind: this.#kindOf(kind), attributes: attributes() };
    return runToEnd(this.#opened(this.#tracer.startSpan(name, options, parent.context)), work);
  }

  current(): Span | undefined {
    return this.#running.getStore();
  }

  headers(): TraceHeaders {
    const context = this.#running.getStore()?.otel.spanContext();
    if (!context) return {};
    const traceparent = formatTraceParent(context);
    const tracestate = context.traceState?.serialize();
    return tracestate ? { traceparent, tracestate } : { traceparent };
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeTimeoutMs)));
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }

  #opened(span: ApiSpan): SdkSpan {
    return new SdkSpan(this.#api, span, { tracer: this.#tracer, running: this.#running });
  }

  #kindOf(kind: SpanKind) {
    const { SpanKind: kinds } = this.#api;
    return { internal: kinds.INTERNAL, server: kinds.SERVER, client: kinds.CLIENT }[kind];
  }
}

interface SpanPlace {
  readonly tracer: Tracer;
  readonly running: AsyncLocalStorage<SdkSpan>;
}

class SdkSpan implements Span {
  readonly otel: ApiSpan;
  readonly context: Context;
  readonly isRecorded: boolean;
  readonly #errorCode: SpanStatusCode;
  readonly #place: SpanPlace;

  constructor({ trace, ROOT_CONTEXT, SpanStatusCode: codes }: Sdk['api'], otel: ApiSpan, place: SpanPlace) {
    this.otel = otel;
    this.context = trace.setSpan(ROOT_CONTEXT, otel);
    this.isRecorded = otel.isRecording();
    this.#errorCode = codes.ERROR;
    this.#place = place;
  }

  run<Result>(work: () => Result): Result {
    return this.#place.running.run(this, work);
  }

  add(name: string, startMs: number, endMs: number, attributes: SpanAttributes = {}): void {
    if (!this.isRecorded) return;
    this.#place.tracer.startSpan(name, { startTime: startMs, attributes }, this.context).end(endMs);
  }

  event(name: string): void {
    this.otel.addEvent(name);
  }

  set(attributes: SpanAttributes): void {
    this.otel.setAttributes(attributes);
  }

  fail(): void {
    this.otel.setStatus({ code: this.#errorCode });
  }

  end(): void {
    this.otel.end();
  }
}

/** Runs work in a span and ends the span with it. */
function runToEnd<Result>(span: Span, work: () => Result): Result {
  const failed = (error: unknown): never => {
    span.fail();
    span.end();
    throw error;
  };
  let result: Result;
  try {
    result = span.run(work);
  } catch (error) {
    return failed(error);
  }
  if (result instanceof Promise) {
    // The promise has the same type: only the end of the span is added.
    return result.then((value: unknown) => {
      span.end();
      return value;
    }, failed) as Result;
  }
  span.end();
  return result;
}

/** Called with the number of spans that were not sent, and why. */
type OnLost = (spans: number, error: Error) => void;

/** An exporter that reports lost spans, and does not wait for the network when it is closed. */
function boundedExporter(exporter: SpanExporter, onLost: OnLost): SpanExporter {
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

/** The identity of the parent span in another process (W3C Trace Context). */
interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const format = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The longest `tracestate` that is propagated (W3C Trace Context, 3.3.1.5). */
const longestTraceState = 512;

/** Parses a `traceparent` header; undefined if it is missing or invalid. */
function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', traceFlags = '', rest] = format.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(traceFlags, 16) & 1 };
}

/** Writes a `traceparent` header. */
function formatTraceParent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${traceFlags & 1 ? '01' : '00'}`;
}
