import type { Authorizer } from '../../authz/authorizer.ts';
import { mayExplain } from '../../authz/may-explain.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Exchange } from '../request/exchange.ts';
import { RequestTrace } from '../../http-protocol/requests/request-trace.ts';
import type { Filter } from './filter.ts';

/** Begins the trace of a request that asks for one. */
export const openTrace: Filter = (exchange) => {
  if (exchange.query.get('trace') === 'true') exchange.trace = new RequestTrace(exchange.openedMs);
};

/**
 * Shows a trace only to users who may see the reasons of decisions. Others get a warning. The
 * caller counts, not an impersonated user.
 */
export function allowTrace(authorizers: readonly Authorizer[], identifiers: Identifiers): Filter {
  const decide = async (exchange: Exchange, trace: RequestTrace): Promise<void> => {
    trace.isAllowed = await mayExplain(authorizers, identifiers, exchange.impersonator ?? exchange.user);
    if (trace.isAllowed) return;
    exchange.trace = undefined;
    exchange.warnings.add('trace=true: traces need the right to list roles and bindings of the whole cluster');
  };
  return (exchange) => (exchange.trace ? decide(exchange, exchange.trace) : undefined);
}
