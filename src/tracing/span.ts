/** The attributes of a span. Values are cut after a thousand characters. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The side of a call that a span is about. */
export type SpanKind = 'internal' | 'server' | 'client';

/** A piece of work of this process, in a trace that may span several processes. */
export interface Span {
  /** False if the span is not sampled: it is not sent and has no children. */
  readonly isRecorded: boolean;
  /** Runs work with this span as the running one, also in callbacks and promises of the work. */
  run<Result>(work: () => Result): Result;
  /** Adds a child that has ended; times as of `performance.now()`. */
  add(name: string, startMs: number, endMs: number, attributes?: SpanAttributes): void;
  /** Adds an event. */
  event(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, without a reason: reasons may quote secrets. */
  fail(): void;
  end(): void;
}

/** The start of a trace in this process. */
export interface RootSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  /** The attributes; called only if the span is recorded. */
  readonly attributes: () => SpanAttributes;
  /** The headers `traceparent` and `tracestate` of the request. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  /**
   * True if the span continues the trace of the headers and adopts its sampling. Otherwise the span
   * begins a new trace with a link to it.
   */
  readonly isTrusted?: boolean;
}

/** Headers by which another process continues a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** The spans of a process. */
export interface Tracing {
  /** Starts the first span of this process in a new trace or in the trace of a client. */
  root(root: RootSpan): Span;
  /**
   * Runs work in a child of the running span, which ends when the work does. Without a recorded
   * running span only the work runs.
   */
  child<Result>(name: string, attributes: () => SpanAttributes, work: () => Result, kind?: SpanKind): Result;
  /** The running span. */
  current(): Span | undefined;
  /** The trace headers of the running span, recorded or not; empty outside of a span. */
  headers(): TraceHeaders;
  /** Sends the remaining spans, for at most `closeTimeoutMs`. */
  close(): Promise<void>;
}

/** The longest wait for the collector at shutdown. */
export const closeTimeoutMs = 3_000;
