import type Koa from 'koa';
import { runSteps } from '../async/run-steps.ts';
import { refuseUpgrade } from './connect/refuse-upgrade.ts';
import type { Filter } from './filters/filter.ts';
import { discardUnreadBody, endUnreadBody } from './request/end-unread-body.ts';
import type { Exchange } from './request/exchange.ts';
import type { Formats } from './request/formats.ts';
import { LoopShare } from './request/loop-share.ts';
import type { Log } from './request/log.ts';
import type { OpenRequests } from './request/open-requests.ts';
import { answerError } from './respond/answer-error.ts';
import type { RouteHandler } from './routes.ts';

/** How long requests are handled in one turn of the event loop. A usual turn takes a tenth of it. */
const requestShareMs = 20;

/** Verbs whose handlers read no body. */
const bodilessVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

interface Answering {
  readonly requests: OpenRequests;
  readonly formats: Formats;
  readonly filters: readonly Filter[];
  /** Answers requests under the paths of resources; others go on to Koa's next. */
  readonly resource: RouteHandler;
  /** Answers requests for sub-resources that are no objects. */
  readonly connect: RouteHandler;
  readonly log: Log;
}

/**
 * The outermost of Koa's middleware: opens the exchange, runs the filters, and is the one place that catches everything. Of a request that
 * waits for nothing it makes no promise. One connection can bring thousands of requests in one turn of the event loop: those beyond
 * the share of the turn are handled in later ones, unless they have been reset by then.
 */
export function answerRequests({
  requests,
  formats,
  filters,
  resource,
  connect,
  log,
}: Answering): Koa.Middleware<Exchange> {
  const share = new LoopShare(requestShareMs);
  return (context, next) => {
    // Answers are written by our own code; Koa must not add to them.
    context.respond = false;
    const exchange = requests.open(context.req, context.res);
    exchange.formats = formats;
    context.state = exchange;
    endUnreadBody(context.req);
    const answer = (): Promise<void> | void => {
      if (exchange.connect) return connect(exchange);
      refuseUpgrade(exchange);
      if (bodilessVerbs.has(exchange.verb)) discardUnreadBody(context.req);
      return exchange.path.target ? resource(exchange) : next();
    };
    const ended = (): void => exchange.handled();
    const failed = (error: unknown): void => {
      ended();
      discardUnreadBody(context.req);
      answerError(exchange, error, log);
    };
    const handle = (): Promise<void> | void => {
      try {
        const waiting = runSteps(filters, (filter) => filter(exchange));
        const pending = waiting ? waiting.then(answer) : answer();
        return pending ? pending.then(ended, failed) : ended();
      } catch (error) {
        return failed(error);
      }
    };
    const turn = share.take();
    return turn ? turn.then(() => (exchange.signal.aborted ? ended() : handle())) : handle();
  };
}
