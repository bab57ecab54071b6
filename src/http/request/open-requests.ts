import { ServerResponse } from 'node:http';
import { upgradeOf } from './upgrade.ts';
import { ByteBudget } from './byte-budget.ts';
import { ClientGone, type Exchange, type ExchangeBudgets, OpenExchange } from './exchange.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import { LinkedList } from './linked-list.ts';

/** What bounds the life of requests. */
export interface OpenRequestsOptions {
  /** A reader that takes nothing of its answer for so long is cut; 0 never. */
  readonly stuckReaderMs: number;
  /** Bytes of bodies that are held at a time; 0 is no limit. */
  readonly maxBodyBytes: number;
  /** Bytes of answers that are held at a time because their readers have not taken them; 0 is no limit. */
  readonly maxAnswerBytes: number;
}

/** How often stuck readers are looked for, at most. A check costs a few property reads for each open request. */
const longestCheckMs = 5_000;

/** A tenth of a second less or more is nothing to a reader that is given many. */
const shortestCheckMs = 20;

/**
 * The open requests of a server, each from its arrival until its answer is out or its connection is lost, and the one owner of
 * their lives: it ends their exchanges, cuts readers that take nothing, and says when none is left.
 */
export class OpenRequests {
  readonly #open = new LinkedList<OpenExchange>();
  readonly #budgets: ExchangeBudgets;
  readonly #stuckReaderMs: number;
  readonly #checkMs: number;
  #armed = false;
  #draining = false;
  #drained: (() => void) | undefined;

  constructor({ stuckReaderMs, maxBodyBytes, maxAnswerBytes }: OpenRequestsOptions) {
    this.#budgets = { bodies: new ByteBudget(maxBodyBytes), answers: new ByteBudget(maxAnswerBytes) };
    this.#stuckReaderMs = stuckReaderMs;
    const often = stuckReaderMs > 0 ? stuckReaderMs / 8 : longestCheckMs;
    this.#checkMs = Math.max(shortestCheckMs, Math.min(longestCheckMs, often));
  }

  /** The number of open requests. */
  get size(): number {
    return this.#open.size;
  }

  /** The budgets of bytes that open requests share. */
  get budgets(): ExchangeBudgets {
    return this.#budgets;
  }

  /** Opens the exchange of a request that has arrived. It ends with its response. */
  open(request: HttpRequest, response: HttpResponse): OpenExchange {
    const exchange = new OpenExchange(request, response, this.#budgets);
    const entry = this.#open.add(exchange);
    onClosed(request, response, () => {
      this.#open.remove(entry);
      exchange.closed();
      if (this.#open.size === 0) this.#drained?.();
    });
    if (this.#draining) endConnection(response);
    if (!this.#armed) this.#arm();
    return exchange;
  }

  /** Calls a function with each open exchange, which may end meanwhile. */
  forEach(visit: (exchange: Exchange) => void): void {
    this.#open.forEach(visit);
  }

  /** From now on each answer of HTTP/1.1 ends its connection. Resolves when no request is open. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#open.forEach(({ response }) => endConnection(response));
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  /** One timer for all, and none while no request is open. */
  #arm(): void {
    this.#armed = true;
    setTimeout(() => {
      this.#armed = false;
      this.#check();
      if (this.#open.size > 0) this.#arm();
    }, this.#checkMs).unref();
  }

  #check(): void {
    const nowMs = performance.now();
    this.#open.forEach((exchange) => {
      if (exchange.overdue || this.#isStuck(exchange, nowMs)) cut(exchange);
    });
  }

  /** Whether the reader of an answer has taken nothing for too long, although there is something to take. */
  #isStuck(exchange: OpenExchange, nowMs: number): boolean {
    if (this.#stuckReaderMs === 0) return false;
    const { response } = exchange;
    const writer = response.stream ?? response.socket;
    const waiting = writer?.writableLength ?? 0;
    if (waiting === 0) {
      exchange.stuckSinceMs = 0;
      return false;
    }
    // A stream of HTTP/2 does not count what it was given; what waits in it changes with what is taken.
    const taken = (writer && 'bytesWritten' in writer ? writer.bytesWritten : 0) - waiting;
    if (exchange.stuckSinceMs === 0 || taken !== exchange.takenBytes) {
      exchange.stuckSinceMs = nowMs;
      exchange.takenBytes = taken;
      return false;
    }
    return nowMs - exchange.stuckSinceMs >= this.#stuckReaderMs;
  }
}

/**
 * Calls `end` when an answer is out or can no longer be sent. The event of the response would not do alone: over HTTP/2 it
 * is left out for a HEAD request that is reset, and over HTTP/1.1 for an answer that waits behind another one of its connection.
 */
function onClosed(request: HttpRequest, response: HttpResponse, end: () => void): void {
  // Nothing follows an upgrade on its connection, whether it was accepted or not.
  if (upgradeOf(request)) {
    request.socket.once('close', end);
    return;
  }
  // A listener of the stream itself costs a small answer a tenth, and is needed in this case alone.
  if (response.stream && request.method === 'HEAD') {
    response.stream.on('close', end);
    return;
  }
  // Not `once`: it comes but once anyway, and the listener is cheaper.
  response.on('close', end);
  if (response.stream || response.socket) return;
  const { socket } = request;
  const endWithSocket = (): void => {
    socket.removeListener('close', endWithSocket);
    response.removeListener('close', endWithSocket);
    response.removeListener('close', end);
    end();
  };
  // As many wait behind one another as the client has sent.
  socket.setMaxListeners(0);
  socket.on('close', endWithSocket);
  response.on('close', endWithSocket);
}

/** Without this a client would send its next request over this connection, until the very end. HTTP/2 has GOAWAY for it. */
function endConnection(response: HttpResponse): void {
  if (response instanceof ServerResponse && !response.headersSent) response.setHeader('Connection', 'close');
}

/** Breaks the stream of HTTP/2, or the connection of HTTP/1.1, also where the answer waits behind another one. */
function cut(exchange: OpenExchange): void {
  const { request, response } = exchange;
  const gone = new ClientGone();
  exchange.abort(gone);
  if (response.stream) response.stream.destroy(gone);
  else request.socket.destroy();
}
