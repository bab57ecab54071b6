import { checkListOptions, parseListOptions, readAtOfList, withoutPages } from '../options/list-options.ts';
import { parseSelectors, selectionOf } from '../options/selection.ts';
import { representationOf } from '../respond/representation.ts';
import { respondList } from '../respond/respond-list.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** GET of a collection, as a whole or in pages (spec 4.5, 4.6). */
export async function listVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const representation = representationOf(call);
  const sent = parseListOptions(exchange.query);
  const selectors = parseSelectors(exchange.query, call.listFeatures);
  checkListOptions(sent, { features: call.listFeatures, apiDomain: scope.identifiers.apiDomain });
  const options = call.listFeatures.chunking ? sent : withoutPages(sent);
  const answer = await registry.list(scope, {
    ...selectionOf(selectors, registry.selectableFields(scope.version)),
    at: readAtOfList(options),
    limit: options.limit,
    ...(options.continueToken ? { continueToken: options.continueToken } : {}),
  });
  exchange.step('Listed items');
  return respondList(call, representation, { ...answer, shard: selectors.shard?.text });
}
