import { readAtOfGet } from '../options/list-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/**
 * GET of an object or sub-resource (spec 4.6, get). Responds synchronously if the object is cached.
 */
export function getVerb(call: ResourceCall): Promise<void> | void {
  const { exchange, registry, scope } = call;
  const representation = representationOf(call);
  const at = readAtOfGet(exchange.query);
  const respond = (object: VersionedObject) => respondObject(call, representation, 200, object);
  const known = registry.peek(scope, at);
  return known ? respond(known) : registry.get(scope, at).then(respond);
}
