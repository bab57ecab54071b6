import { parseDeleteOptions } from '../options/delete-options.ts';
import { parseListOptions, readAtOfList } from '../options/list-options.ts';
import { parseSelection } from '../options/selection.ts';
import { readCollectionDeleteOptions } from '../body/read-delete-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondList, respondPages } from '../respond/respond-list.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** DELETE of a collection; answers the objects that it deleted, as they were. */
export async function deleteCollection(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const { apiDomain } = scope.identifiers;
  const representation = representationOf(exchange, scope.identifiers);
  const options = parseListOptions(exchange.query);
  const query = {
    ...parseSelection(exchange.query, registry.selectableFields),
    at: readAtOfList(options, apiDomain),
    limit: options.limit,
    ...(options.continueToken ? { continueToken: options.continueToken } : {}),
  };
  const body = await readCollectionDeleteOptions(call);
  const deleted = await registry.deleteCollection(scope, query, parseDeleteOptions(exchange.query, body, apiDomain));
  return 'items' in deleted ? respondList(call, representation, deleted) : respondPages(call, representation, deleted);
}
