import { readObject } from '../body/read-body-object.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { writeOptionsOf } from '../options/write-options.ts';
import type { ResourceCall } from '../request/resource-call.ts';

/** POST to a collection, or to a sub-resource with the verb create. */
export async function createVerb(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const representation = representationOf(call);
  const options = writeOptionsOf(call, 'CreateOptions');
  const { object, duplicateFields } = await readObject(call, options.fieldValidation !== 'Ignore');
  exchange.step('About to store object in database');
  const created = await registry.create(scope, object, { ...options, duplicateFields });
  exchange.step('Write to database call succeeded');
  if (created.value?.['kind'] === 'Status') exchange.audit?.answered({ status: 'Success', code: 201 });
  return respondObject(call, representation, 201, created);
}
