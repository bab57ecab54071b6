import { successStatus } from '../../codec/status-body.ts';
import { parseDeleteOptions } from '../options/delete-options.ts';
import { readDeleteOptions } from '../body/read-delete-options.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { respondStatus } from '../respond/respond-status.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/**
 * DELETE of one object: a Status where it is gone at once (for a few kinds the object as it was), the object where finalizers or a
 * grace period keep it.
 */
export async function deleteVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope, served } = call;
  const representation = representationOf(exchange, scope.identifiers);
  const body = await readDeleteOptions(call);
  const options = parseDeleteOptions(exchange.query, body, scope.identifiers.apiDomain);
  const answer = await registry.delete(scope, options);
  // Only who says in the old way that dependents shall go is told that this is still to be done, as ever.
  const status = !answer.deleted && options.orphanDependents === false ? 202 : 200;
  if (!answer.deleted || answer.asObject) return respondObject(call, representation, status, answer.object);
  const { group, resource } = served.info;
  const details = { name: scope.name, ...(group ? { group } : {}), kind: resource, uid: answer.uid };
  return respondStatus(exchange, representation, 200, successStatus(details));
}
