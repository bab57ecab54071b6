import { readObject } from '../body/read-body-object.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { writeOptionsOf } from '../options/write-options.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** PUT of an object or sub-resource. */
export async function updateVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const representation = representationOf(call);
  const options = writeOptionsOf(call, 'UpdateOptions');
  const { object, duplicateFields } = await readObject(call, options.fieldValidation !== 'Ignore');
  exchange.step('About to store object in database');
  const answer = await registry.update(scope, object, { ...options, duplicateFields });
  exchange.step('Write to database call succeeded');
  return respondObject(call, representation, answer.created ? 201 : 200, answer.object);
}
