import type { AdmissionChain } from '../../admission/admission.ts';
import { documentOf } from '../../codec/document.ts';
import type { VirtualCreate } from '../../registry/definition/virtual-create.ts';
import { readObject } from '../body/read-body-object.ts';
import { representationOf } from '../respond/representation.ts';
import { respondObject } from '../respond/respond-object.ts';
import { writeOptionsOf } from '../options/write-options.ts';
import type { ResourceCall } from '../request/resource-call.ts';

interface VirtualCall extends Omit<ResourceCall, 'registry'> {
  readonly answerVirtual: VirtualCreate;
  readonly admission: AdmissionChain;
}

/** POST of a resource that is not stored, such as an access review (spec 2.1). */
export async function createVirtual(call: VirtualCall): Promise<void> {
  const { exchange, scope, answerVirtual } = call;
  const representation = representationOf(call);
  const options = writeOptionsOf(call, 'CreateOptions');
  const { object, duplicateFields } = await readObject(call, options.fieldValidation !== 'Ignore');
  const answer = await answerVirtual(scope, object, {
    ...options,
    duplicateFields,
    resource: call.served.info.resource,
    admission: call.admission,
    explain: exchange.query.get('explain') === 'true',
  });
  return respondObject(call, representation, 201, documentOf(answer));
}
