import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterPoll } from '../../async/timers.ts';
import { upgradeOf } from '../messages/upgrade.ts';
import { ByteBudget } from './byte-budget.ts';
import { ClientGone, type HttpExchange, type ExchangeBudgets, type OpenHttpExchange } from './http-exchange.ts';
import type { HttpRequest, HttpResponse } from '../messages/http-message.ts';
import { noteArrival } from './late-arrival.ts';
import { LinkedList } from './linked-list.ts';

/** The constructor of an exchange. */
type ExchangeKind<E> = new (request: HttpRequest, response: HttpResponse, budgets: ExchangeBudgets) => E;

/** The limits of open requests. */
interface OpenRequestsOptions {
  /**
   * A connection whose reader takes no bytes of its response for this long is closed; 0 is
   * unlimited.
   */
  readonly stuckReaderMs: number;
  /** The total bytes of request bodies in memory; 0 is unlimited. */
  readonly maxBodyBytes: number;
  /** The total bytes of responses that readers have not taken yet; 0 is unlimited. */
  readonly maxAnswerBytes: number;
}

/**
 * The maximum interval between checks for stuck readers. A check costs a few property reads for
 * each open request.
 */
const longestCheckMs = 5_000;

/** The minimum interval between checks, for short time limits. */
const shortestCheckMs = 20;

/**
 * The open requests of a server. A request is open from its arrival until its response is sent or
 * its connection is lost. This class ends the exchanges, closes connections of stuck readers, and
 * reports when no request is open.
 */
export class OpenRequests {
  readonly #open = new LinkedList<OpenHttpExchange>();
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

  /** The byte budgets that open requests share. */
  get budgets(): ExchangeBudgets {
    return this.#budgets;
  }

  /** Opens the exchange of a new request, of a kind of its own. It ends with its response. */
  open<E extends OpenHttpExchange>(request: HttpRequest, response: HttpResponse, Kind: ExchangeKind<E>): E {
    if (request instanceof IncomingMessage) noteArrival(request.socket, request);
    const exchange = new Kind(request, response, this.#budgets);
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

  /** Returns the open requests of an HTTP/1.1 connection in their order. */
  ofConnection(socket: Socket): readonly HttpExchange[] {
    const found: HttpExchange[] = [];
    this.#open.forEach((exchange) => {
      if (!exchange.response.stream && exchange.request.socket === socket) found.push(exchange);
    });
    return found;
  }

  /** Calls a function with each open exchange. The exchange may end during the call. */
  forEach(visit: (exchange: HttpExchange) => void): void {
    this.#open.forEach(visit);
  }

  /** Makes each HTTP/1.1 response from now on close its connection. */
  endConnections(): void {
    this.#draining = true;
    this.#open.forEach(({ response }) => endConnection(response));
  }

  /** Ends connections with their responses, and resolves when no request is open. */
  async drain(): Promise<void> {
    this.endConnections();
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  /** Starts the one timer for all requests; it runs only while requests are open. */
  #arm(): void {
    this.#armed = true;
    setTimeout(() => {
      afterPoll(() => {
        this.#armed = false;
        this.#check();
        if (this.#open.size > 0) this.#arm();
      });
    }, this.#checkMs).unref();
  }

  #check(): void {
    const nowMs = performance.now();
    this.#open.forEach((exchange) => {
      if (isCutOverdue(exchange) || this.#isStuck(exchange, nowMs)) cut(exchange);
    });
  }

  /** True if bytes have been waiting and the reader has taken none for too long. */
  #isStuck(exchange: OpenHttpExchange, nowMs: number): boolean {
    if (this.#stuckReaderMs === 0 || exchange.readerMayPause) return false;
    const { response } = exchange;
    const writer = response.stream ?? response.socket ?? exchange.socket;
    const waiting = writer?.writableLength ?? 0;
    if (waiting === 0) {
      exchange.stuckSinceMs = 0;
      return false;
    }
    // HTTP/2 streams have no `bytesWritten`; the number of waiting bytes changes when the reader
    // takes some.
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
 * True if a response was overdue at the previous check, too: the 504 of a request whose time has
 * just passed is not written yet.
 */
function isCutOverdue(exchange: OpenHttpExchange): boolean {
  const { overdueAtCheck } = exchange;
  exchange.overdueAtCheck = exchange.overdue;
  return overdueAtCheck;
}

/**
 * Calls `end` when a response is sent or can no longer be sent. The `close` event of the response
 * is not enough: HTTP/1.1 omits it for a response queued behind another one on its connection.
 */
function onClosed(request: HttpRequest, response: HttpResponse, end: () => void): void {
  // No request follows an upgrade on its connection, whether or not it was accepted.
  if (request instanceof IncomingMessage && upgradeOf(request)) {
    request.socket.once('close', end);
    return;
  }
  // `on` instead of `once`: the event is emitted once anyway, and `on` is cheaper.
  response.on('close', end);
  if (!(request instanceof IncomingMessage) || response.socket) return;
  const { socket } = request;
  const endWithSocket = (): void => {
    socket.removeListener('close', endWithSocket);
    response.removeListener('close', endWithSocket);
    response.removeListener('close', end);
    end();
  };
  // Every pipelined request adds a listener.
  socket.setMaxListeners(0);
  socket.on('close', endWithSocket);
  response.on('close', endWithSocket);
}

/**
 * Tells the client of an HTTP/1.1 connection not to send another request on it. HTTP/2 uses GOAWAY
 * instead.
 */
function endConnection(response: HttpResponse): void {
  if (response instanceof ServerResponse && !response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Destroys the HTTP/1.1 connection, also if the response is queued behind another one, or the
 * response of another kind.
 */
function cut(exchange: OpenHttpExchange): void {
  const { request, response } = exchange;
  const gone = new ClientGone();
  exchange.abort(gone);
  if (request instanceof IncomingMessage) request.socket.destroy();
  else response.destroy(gone);
}
