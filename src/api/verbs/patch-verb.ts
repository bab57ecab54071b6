import { patchTypeOf, readPatch } from '../body/read-patch.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { writeOptionsOf } from '../options/write-options.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** PATCH of an object or sub-resource. The Content-Type selects the patch type. */
export async function patchVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const type = patchTypeOf(exchange, call.served.version.schema());
  const representation = representationOf(call);
  const options = writeOptionsOf(call, type.isApply ? 'ApplyOptions' : 'PatchOptions');
  const request = await readPatch(exchange, type, call.bodyLimitBytes);
  exchange.step('About to apply patch');
  const answer = await registry.patch(scope, request, options);
  exchange.step('Object stored in database');
  return respondObject(call, representation, answer.created ? 201 : 200, answer.object);
}
