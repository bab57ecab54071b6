import { openExchange } from '../request/exchange.ts';
import type { Log } from '../request/log.ts';
import { endUnreadBody } from '../request/end-unread-body.ts';
import { answerError } from '../respond/answer-error.ts';
import type { Filter } from './filter.ts';

/** The outermost filter: opens the exchange, and is the one place that catches everything. */
export function answerErrors(log: Log): Filter {
  return async (context, next) => {
    // Answers are written by our own code; Koa must not add to them.
    context.respond = false;
    const exchange = openExchange(context.req, context.res);
    context.state = exchange;
    endUnreadBody(context.req);
    try {
      await next();
    } catch (error) {
      answerError(exchange, error, log);
    }
  };
}
