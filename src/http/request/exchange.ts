import { randomUUID } from 'node:crypto';
import { constants } from 'node:http2';
import { anonymous, type UserInfo } from '../../meta/user-info.ts';
import type { ConnectDefinition } from '../../registry/connect-definition.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type Formats, usualFormats } from './formats.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import type { RequestPath } from './request-path.ts';
import { createWarnings, type Warnings } from './warnings.ts';
import { noQuery, type Query } from './query.ts';

/**
 * One request and its answer: what the filters learn, in order, and the handlers need. The fields after `warnings`
 * have their meaning once the filter that sets them has run.
 */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  /** Aborts when the client goes away, when the deadline passes, or when the server must end a watch. */
  readonly signal: AbortSignal;
  /** Ends the work on this request; the reason is what the client is told, if it can still be told. */
  abort(reason: Error): void;
  readonly warnings: Warnings;
  /** The formats of the server, or those of the resource that is requested. */
  formats: Formats;
  path: RequestPath;
  query: Query;
  /** The verb of authorization: an API verb, or the lower-case method for non-resource requests. */
  verb: string;
  user: UserInfo;
  /** The sub-resource that is no object, where the request is for one. */
  connect: ConnectDefinition | undefined;
  /** True once the answer is out, or its connection is lost. */
  readonly ended: boolean;
  /**
   * Calls a listener once, when the answer is out or its connection is lost; at once where that has
   * happened. A filter registers here what it does behind the answer. Listeners are called in the
   * order in which they came.
   */
  onEnd(listener: EndListener): void;
  /**
   * The same, when the work on the request is done too: work may outlive its client, and holds
   * until then what it was given.
   */
  onDone(listener: EndListener): void;
  /** Marks an answer that is due: a connection that holds it back is cut by the next check of stuck readers. */
  overdue: boolean;
  /** Bytes of the body of the answer, compressed as they are sent, that were handed to the connection. */
  sentBytes: number;
  /** Charges bytes of the request's body, until the exchange ends. Answers false where the budget is used up. */
  chargeBody(bytes: number): boolean;
  /** Whether a body of a declared length could be charged now. */
  hasRoomForBody(bytes: number): boolean;
  /** Charges bytes of the answer, until the exchange ends. Answers false where the budget is used up. */
  chargeAnswer(bytes: number): boolean;
}

/** A function that is called at the end of an exchange. It does not throw. */
type EndListener = (end: ExchangeEnd) => void;

/** How an exchange ended. */
export interface ExchangeEnd {
  /** Of the answer; 0 where none was begun. */
  readonly status: number;
  /** As `sentBytes` of the exchange. */
  readonly bytes: number;
  /** From the opening of the exchange on. */
  readonly durationMs: number;
  /** Whether the connection, or the stream of HTTP/2, was lost before the answer was complete. */
  readonly aborted: boolean;
}

/** Why work stops when the client has closed the connection. It is never an answer, and not worth a log line. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection before the answer was complete');
    this.name = 'ClientGone';
  }
}

const noPath: RequestPath = Object.freeze({ raw: '', decoded: '', query: '', target: undefined });

/** Budgets in bytes that all exchanges of a server share. */
export interface ExchangeBudgets {
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
}

/**
 * The exchange that `OpenRequests` makes and ends. A class because a signal costs more than the rest of a small answer's
 * unownedFields, so it is made when it is asked for.
 */
export class OpenExchange implements Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  readonly warnings = createWarnings();
  formats = usualFormats;
  path = noPath;
  query = noQuery;
  verb = '';
  user = anonymous;
  connect: ConnectDefinition | undefined = undefined;
  overdue = false;
  sentBytes = 0;
  /** Since when the reader has taken nothing of what was written; 0 while nothing waits for it. For `OpenRequests`. */
  stuckSinceMs = 0;
  /** What the reader had taken then. */
  takenBytes = 0;
  readonly #budgets: ExchangeBudgets;
  readonly #openedMs = performance.now();
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #closed = false;
  #handled = false;
  #bodyBytes = 0;
  #answerBytes = 0;
  #end: ExchangeEnd | undefined;
  #endListeners: EndListener[] | undefined;
  #doneListeners: EndListener[] | undefined;

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

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
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

  chargeBody(bytes: number): boolean {
    if (this.#closed || !this.#budgets.bodies.take(bytes)) return false;
    this.#bodyBytes += bytes;
    return true;
  }

  hasRoomForBody(bytes: number): boolean {
    return this.#budgets.bodies.hasRoomFor(bytes);
  }

  chargeAnswer(bytes: number): boolean {
    if (this.#closed) return true;
    if (!this.#budgets.answers.take(bytes)) return false;
    this.#answerBytes += bytes;
    return true;
  }

  /** The work on the request is done; its answer may still be on its way. */
  handled(): void {
    if (this.#handled) return;
    this.#handled = true;
    if (this.#closed) this.#done();
  }

  /** The answer is out, or its connection is lost. */
  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#complete) this.abort(new ClientGone());
    this.#budgets.answers.release(this.#answerBytes);
    if (this.#endListeners) for (const listener of this.#endListeners) listener(this.#endOnce());
    if (this.#handled) this.#done();
  }

  /** Work that goes on without its client still counts: what it holds is given back at its end. */
  #done(): void {
    this.#budgets.bodies.release(this.#bodyBytes);
    this.#bodyBytes = 0;
    if (this.#doneListeners) for (const listener of this.#doneListeners) listener(this.#endOnce());
  }

  /** HTTP/2's compatibility layer calls an answer finished that its client has reset. */
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
      durationMs: performance.now() - this.#openedMs,
      aborted: !this.#complete,
    };
  }
}

/** A client may bring its own id, to find the request in logs; anything that is not a plain short token is replaced. */
const acceptedAuditId = /^[A-Za-z0-9._-]{1,64}$/;

function auditIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptedAuditId.test(sent) ? sent : randomUUID();
}
