import type Koa from 'koa';
import { runSteps } from '../async/maybe-promise.ts';
import type { Forward } from './request/forward.ts';
import type { PeerServers } from './peer-servers.ts';
import type { NamedFilter } from './filters/filter.ts';
import { runFilter } from './filters/run-filter.ts';
import type { Tracing, SpanAttributes } from '../tracing/span.ts';
import { closeOverUnreadBody, discardUnreadBody, endUnreadBody } from '../http-protocol/requests/end-unread-body.ts';
import { type Exchange, OpenExchange } from './request/exchange.ts';
import type { Formats } from './request/formats.ts';
import { TimeBudget } from '../http-protocol/requests/time-budget.ts';
import type { Log } from '../http-protocol/requests/log.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import { sendNoSuchPage, answerError } from './respond/answer-error.ts';
import { notServed } from '../status/status-error.ts';
import type { RouteHandler } from './routes.ts';
import { shownPath } from './request/shown-path.ts';
import { tracedVerb, verbFields } from './request/verb-fields.ts';

/**
 * The time for handling new requests in one turn of the event loop. A usual turn takes a tenth of
 * it.
 */
const requestBudgetMs = 20;

/** Verbs whose handlers do not read a body. */
const bodilessVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

interface RequestHandling {
  readonly requests: OpenRequests;
  readonly formats: Formats;
  readonly filters: readonly NamedFilter[];
  /** Handles requests for resource paths; other requests are passed to the next Koa middleware. */
  readonly resource: RouteHandler;
  /** Handles requests for connect sub-resources. */
  readonly connect: RouteHandler;
  /** Handles requests for versions that other servers serve. */
  readonly forward: Forward;
  /** Forwards requests for resources that only peers serve; absent: there are no peers. */
  readonly peers?: PeerServers | undefined;
  /** Creates spans; absent if the process does not trace. */
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/**
 * The outermost Koa middleware: opens the exchange, runs the filters and catches all errors.
 * Creates no promise for a request that can be answered synchronously.
 * One connection can send thousands of requests in one turn of the event loop. Requests beyond the
 * time budget of the turn are handled in later turns, unless they were reset by then.
 */
export function handleRequests({
  requests,
  formats,
  filters,
  resource,
  connect,
  forward,
  peers,
  tracing,
  log,
}: RequestHandling): Koa.Middleware<Exchange> {
  const budget = new TimeBudget(requestBudgetMs);
  return (context, next) => {
    // This layer writes the responses itself; Koa must not respond.
    context.respond = false;
    const exchange = requests.open(context.req, context.res, OpenExchange);
    exchange.formats = formats;
    context.state = exchange;
    endUnreadBody(context.req);
    const answer = (): Promise<void> | void => {
      if (exchange.path.target?.isComplete === false) return refuseIncomplete(exchange);
      if (exchange.remote) return forward(exchange, exchange.remote);
      const passed = peers?.passOn(exchange);
      if (passed) return passed;
      if (exchange.connect) return connect(exchange);
      if (bodilessVerbs.has(exchange.verb)) {
        discardUnreadBody(context.req);
        closeOverUnreadBody(exchange);
      }
      return exchange.path.target ? resource(exchange) : next();
    };
    const respond = tracing ? () => traceVerb(tracing, exchange, answer) : answer;
    const ended = (): void => exchange.handled();
    const failed = (error: unknown): void => {
      ended();
      discardUnreadBody(context.req);
      answerError(exchange, error, log);
    };
    const handle = (): Promise<void> | void => {
      try {
        const waiting = runSteps(filters, (filter) => runFilter(exchange, filter));
        const pending = waiting ? waiting.then(respond) : respond();
        return pending ? pending.then(ended, failed) : ended();
      } catch (error) {
        return failed(error);
      }
    };
    const turn = budget.take(exchange.openedMs);
    return turn ? turn.then(() => (exchange.ended ? ended() : handle())) : handle();
  };
}

/** Answers a path with an empty segment before the end of its sub-resource, which names nothing. */
function refuseIncomplete(exchange: Exchange): void {
  if (exchange.path.segments[0] === 'apis' && exchange.path.target?.group === '') return sendNoSuchPage(exchange);
  throw notServed();
}

/** Runs a verb handler in a span. */
function traceVerb(tracing: Tracing, exchange: Exchange, handle: () => Promise<void> | void): Promise<void> | void {
  const { span, path } = exchange;
  if (!span) return handle();
  const name = path.target ? tracedVerb(exchange.verb) : undefined;
  if (name === undefined) return span.run(handle);
  const attributes = (): SpanAttributes => ({ ...verbFields(exchange), url: shownPath(exchange) });
  return span.run(() => tracing.child(name, attributes, handle));
}
