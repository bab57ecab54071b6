/** Facts about a span. Values are cut after a thousand characters. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The side of a call that a span is about. */
export type SpanKind = 'internal' | 'server' | 'client';

/** A part of the work of this process, in a trace that may begin and go on in others. */
export interface Span {
  /** False if it is not sampled: it has no children then, and is not sent. */
  readonly isRecorded: boolean;
  /** Runs work of this span: it is the running span of all that follows from the work. */
  run<Result>(work: () => Result): Result;
  /** Adds a child that has ended; times as of `performance.now()`. */
  add(name: string, startMs: number, endMs: number, attributes?: SpanAttributes): void;
  /** Notes a step. */
  event(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed, without a reason: reasons may quote secrets. */
  fail(): void;
  end(): void;
}

/** The start of a trace in this process. */
export interface RootSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  /** Called only if it is recorded. */
  readonly attributes: () => SpanAttributes;
  /** The headers `traceparent` and `tracestate` of the request. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  /**
   * True if the span continues the trace of the headers, and is sampled if that is. Otherwise it
   * begins a trace that has a link to it.
   */
  readonly isTrusted?: boolean;
}

/** Headers by which another process continues a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** The spans of a process. */
export interface Tracing {
  /** Begins a trace, or continues the trace of a client. */
  root(root: RootSpan): Span;
  /**
   * Runs work in a child of the running span, which ends when the work does. Without a running span
   * that is recorded it only runs the work.
   */
  child<Result>(name: string, attributes: () => SpanAttributes, work: () => Result, kind?: SpanKind): Result;
  /** The running span. */
  current(): Span | undefined;
  /** The headers of the running span, whether it is recorded or not; none outside of one. */
  headers(): TraceHeaders;
  /** Sends what is left, for at most `closeTimeoutMs`. */
  close(): Promise<void>;
}

/** The longest wait for the collector when a process stops. */
export const closeTimeoutMs = 3_000;
