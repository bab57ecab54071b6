import { parseCollectionDeleteOptions } from '../options/parse-delete-options.ts';
import { checkListOptions, parseListOptions, readAtOfList, withoutPages } from '../options/list-options.ts';
import { parseSelectors, selectionOf } from '../options/selection.ts';
import { readCollectionDeleteOptions } from '../body/read-delete-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondList, respondPages } from '../respond/respond-list.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** DELETE of a collection. Responds with the deleted objects in their last state. */
export async function deleteCollectionVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const { apiDomain } = scope.identifiers;
  const representation = representationOf(call);
  const sent = parseListOptions(exchange.query);
  const selectors = parseSelectors(exchange.query, call.listFeatures);
  checkListOptions(sent, { features: call.listFeatures, apiDomain });
  const options = call.listFeatures.chunking ? sent : withoutPages(sent);
  const selection = selectionOf(selectors, registry.selectableFields(scope.version));
  const body = await readCollectionDeleteOptions(call);
  const deleteOptions = parseCollectionDeleteOptions(exchange.query, body, apiDomain);
  const query = {
    ...selection,
    at: readAtOfList(options),
    limit: options.limit,
    ...(options.continueToken ? { continueToken: options.continueToken } : {}),
  };
  const deleted = await registry.deleteCollection(scope, query, deleteOptions);
  exchange.step('Objects deleted from database');
  const shard = selectors.shard?.text;
  return 'items' in deleted
    ? respondList(call, representation, { ...deleted, shard })
    : respondPages(call, representation, { ...deleted, shard });
}
