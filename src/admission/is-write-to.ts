import type { AdmissionAttributes, Operation } from './admission.ts';

/** Reports whether a request is one of `operations` on a resource itself, not on a sub-resource. */
export function isWriteTo(
  attributes: AdmissionAttributes,
  group: string,
  resource: string,
  ...operations: readonly Operation[]
): boolean {
  return (
    attributes.resource.resource === resource &&
    attributes.resource.group === group &&
    attributes.subresource === '' &&
    operations.includes(attributes.operation)
  );
}
