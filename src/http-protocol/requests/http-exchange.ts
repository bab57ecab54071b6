import { randomUUID } from 'node:crypto';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { ByteBudget } from './byte-budget.ts';
import type { HttpRequest, HttpResponse } from '../messages/http-message.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Span } from '../../tracing/span.ts';
import { createWarnings, type Warnings } from './warnings.ts';

/** A request and its response, as far as HTTP goes: bytes, counts, deadlines and waits. */
export interface HttpExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  /** The time of its arrival, as of `performance.now()`. */
  readonly openedMs: number;
  /** Records the response; undefined if the request is not audited. */
  readonly audit: ResponseRecorder | undefined;
  /** Takes the steps of the request; undefined if its trace is not asked for. */
  trace: RequestTrace | undefined;
  /** The span of the request; undefined if the process does not trace. */
  readonly span: Span | undefined;
  /** Records the end of a step, for the log of slow requests and for the span. */
  step(name: string): void;
  /** The steps so far: names and times as of `performance.now()` alternately. */
  readonly steps: readonly (string | number)[];
  /**
   * Aborts if the client disconnects, if the deadline passes, or if the server must end a watch.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts the work on this request. The reason is sent to the client if that is still possible.
   */
  abort(reason: Error): void;
  readonly warnings: Warnings;
  /** Headers of the response besides the standard ones: names and values alternately. */
  readonly headers: readonly string[];
  /** Adds a header to the response. No effect once the response has started. */
  addHeader(name: string, value: string): void;
  /** True once the response is sent or its connection is lost. */
  readonly ended: boolean;
  /**
   * Calls a listener once, when the response is sent or its connection is lost; immediately if that
   * has happened. Filters use it for work after the response. Listeners are called in the order of
   * registration.
   */
  onEnd(listener: EndListener): void;
  /**
   * As `onEnd`, but also waits for the end of the work on the request. Work may continue after the
   * client has disconnected, and keeps its resources until it ends.
   */
  onDone(listener: EndListener): void;
  /** Calls a listener once, when a watch begins to send events; never for other requests. */
  onStream(listener: () => void): void;
  /** Marks that a watch begins to send events: its first work is done, the rest is waiting. */
  streaming(): void;
  /**
   * True once the response is overdue: the second check of stuck readers from then on closes a
   * connection that still delays it.
   */
  overdue: boolean;
  /** True if the reader may pause without a limit, as the reader of a connection may. */
  readonly readerMayPause: boolean;
  /** Bytes of the response body passed to the connection, after compression. */
  sentBytes: number;
  /** Bytes of the request body that were read. */
  readonly bodyBytes: number;
  /** The time in milliseconds that the request waited in queues and for webhooks. */
  waitedMs: number;
  /** The upgraded connection that a watch writes to, whose reader may not pause either. */
  socket: Socket | undefined;
  /**
   * Charges bytes of the request body until the exchange ends. Returns false if the budget is used
   * up.
   */
  chargeBody(bytes: number): boolean;
  /** True if a body of a declared length could be charged now. */
  hasRoomForBody(bytes: number): boolean;
  /**
   * Charges bytes of the response until the exchange ends. Returns false if the budget is used up.
   */
  chargeResponse(bytes: number): boolean;
  /** Releases charged bytes of a response that goes on, which its reader has taken. */
  releaseResponse(bytes: number): void;
}

/** Takes the facts of a response for its audit record. */
interface ResponseRecorder {
  /** The head of a response that goes on. */
  started(status: number): void;
  /** A response of this status is about to be sent: a promise delays it. */
  responding(status: number): Promise<unknown> | undefined;
  /** The response is sent: its events may be written. */
  flush(): void;
}

/** Called at the end of an exchange. Must not throw. */
type EndListener = (end: ExchangeEnd) => void;

/** The result of an exchange. */
export interface ExchangeEnd {
  /** The status of the response; 0 if it was not started. */
  readonly status: number;
  /** The `sentBytes` of the exchange. */
  readonly bytes: number;
  /** The time since the exchange was opened. */
  readonly durationMs: number;
  /** True if the connection or HTTP/2 stream was lost before the response was complete. */
  readonly aborted: boolean;
}

/**
 * The reason for aborting work after the client has closed the connection. It is never sent or
 * logged.
 */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection before the answer was complete');
    this.name = 'ClientGone';
  }
}

/**
 * Thrown by a filter that has responded to the request itself: no later filter and no handler sees
 * it. It is never sent or logged.
 */
export class Responded extends Error {}

const noHeaders: readonly string[] = Object.freeze([]);
const noSteps: readonly (string | number)[] = Object.freeze([]);

/**
 * The most entries of `steps`, two for each step. A write repeated after conflicts may exceed it.
 */
const mostSteps = 64;

/** Budgets in bytes, shared by all exchanges of a server. */
export interface ExchangeBudgets {
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
}

/**
 * The exchange that `OpenRequests` creates and ends. A class, so that the AbortController is
 * created on first use: it costs more than all other work on a small response.
 */
export class OpenHttpExchange implements HttpExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  readonly openedMs = performance.now();
  readonly warnings = createWarnings();
  audit: ResponseRecorder | undefined = undefined;
  trace: RequestTrace | undefined = undefined;
  span: Span | undefined = undefined;
  #steps: (string | number)[] | undefined;
  overdue = false;
  /** True if the response was overdue at the last check. Used by `OpenRequests`. */
  overdueAtCheck = false;
  sentBytes = 0;
  socket: Socket | undefined = undefined;
  waitedMs = 0;
  /**
   * The time of the last check at which the reader made progress; 0 if no bytes are waiting. Used
   * by `OpenRequests`.
   */
  stuckSinceMs = 0;
  /** The bytes that the reader had taken at that time. */
  takenBytes = 0;
  readonly #budgets: ExchangeBudgets;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #closed = false;
  #handled = false;
  #headers: string[] | undefined;
  #bodyBytes = 0;
  #answerBytes = 0;
  #end: ExchangeEnd | undefined;
  #endListeners: EndListener[] | undefined;
  #doneListeners: EndListener[] | undefined;
  #streamListener: (() => void) | undefined;

  constructor(request: HttpRequest, response: HttpResponse, budgets: ExchangeBudgets) {
    this.request = request;
    this.response = response;
    this.#budgets = budgets;
    this.auditId = auditIdOf(request.headers['audit-id']);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get steps(): readonly (string | number)[] {
    return this.#steps ?? noSteps;
  }

  step(name: string): void {
    const steps = (this.#steps ??= []);
    if (steps.length < mostSteps) steps.push(name, performance.now());
    this.span?.event(name);
  }

  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  get headers(): readonly string[] {
    return this.#headers ?? noHeaders;
  }

  addHeader(name: string, value: string): void {
    (this.#headers ??= []).push(name, value);
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }

  get readerMayPause(): boolean {
    return false;
  }

  get ended(): boolean {
    return this.#closed;
  }

  onEnd(listener: EndListener): void {
    if (this.#closed) listener(this.#endOnce());
    else (this.#endListeners ??= []).push(listener);
  }

  onDone(listener: EndListener): void {
    if (this.#closed && this.#handled) listener(this.#endOnce());
    else (this.#doneListeners ??= []).push(listener);
  }

  onStream(listener: () => void): void {
    this.#streamListener = listener;
  }

  streaming(): void {
    this.#streamListener?.();
    this.#streamListener = undefined;
  }

  chargeBody(bytes: number): boolean {
    if (this.#closed || !this.#budgets.bodies.take(bytes)) return false;
    this.#bodyBytes += bytes;
    return true;
  }

  hasRoomForBody(bytes: number): boolean {
    return this.#budgets.bodies.hasRoomFor(bytes);
  }

  chargeResponse(bytes: number): boolean {
    if (this.#closed) return true;
    if (!this.#budgets.answers.take(bytes)) return false;
    this.#answerBytes += bytes;
    return true;
  }

  releaseResponse(bytes: number): void {
    if (this.#closed) return;
    this.#answerBytes -= bytes;
    this.#budgets.answers.release(bytes);
  }

  /** Marks the work on the request as done. The response may still be in transit. */
  handled(): void {
    if (this.#handled) return;
    this.#handled = true;
    if (this.#closed) this.#done();
  }

  /** Marks the response as sent, or its connection as lost. */
  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#complete) this.abort(new ClientGone());
    this.#budgets.answers.release(this.#answerBytes);
    if (this.#endListeners) for (const listener of this.#endListeners) listener(this.#endOnce());
    if (this.#handled) this.#done();
  }

  /** Work that continues without its client still counts: its body budget is released here. */
  #done(): void {
    this.#budgets.bodies.release(this.#bodyBytes);
    this.#bodyBytes = 0;
    if (this.#doneListeners) for (const listener of this.#doneListeners) listener(this.#endOnce());
  }

  /** A stream of HTTP/2 that the client has reset is finished too, so that it is asked. */
  get #complete(): boolean {
    const { response } = this;
    const { stream } = response;
    if (!stream) return response.writableFinished;
    return response.writableEnded && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR;
  }

  #endOnce(): ExchangeEnd {
    this.#end ??= this.#endNow();
    return this.#end;
  }

  #endNow(): ExchangeEnd {
    const { response } = this;
    const { stream } = response;
    const sent = stream ? stream.sentHeaders?.[':status'] : response.statusCode;
    return {
      status: response.headersSent ? Number(sent ?? 0) : 0,
      bytes: this.sentBytes,
      durationMs: performance.now() - this.openedMs,
      aborted: !this.#complete,
    };
  }
}

/**
 * A client may send its own audit ID, to find the request in logs. Only a plain short token is
 * accepted.
 */
const acceptedAuditId = /^[A-Za-z0-9._-]{1,64}$/;

function auditIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptedAuditId.test(sent) ? sent : randomUUID();
}
