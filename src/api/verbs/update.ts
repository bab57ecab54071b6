import { parseWriteOptions } from '../options/write-options.ts';
import { readObject } from '../body/read-object.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { type ResourceCall, userAgentOf } from '../request/resource-call.ts';

/** PUT of an object or sub-resource. */
export async function update(call: ResourceCall): Promise<void> {
  const { exchange, registry, scope } = call;
  const representation = representationOf(call);
  const options = parseWriteOptions({
    query: exchange.query,
    userAgent: userAgentOf(exchange),
    apiDomain: scope.identifiers.apiDomain,
    kind: 'UpdateOptions',
  });
  const { object, duplicateFields } = await readObject(call, options.fieldValidation !== 'Ignore');
  exchange.step('About to store object in database');
  const answer = await registry.update(scope, object, { ...options, duplicateFields });
  exchange.step('Write to database call succeeded');
  return respondObject(call, representation, answer.created ? 201 : 200, answer.object);
}
