import { readAtOfGet } from '../options/list-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** GET of one object or sub-resource (spec 4.6, get). */
export async function get(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const representation = representationOf(exchange, scope.identifiers);
  const object = await registry.get(scope, readAtOfGet(exchange.query));
  return respondObject(call, representation, 200, object);
}
