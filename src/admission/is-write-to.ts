import type { AdmissionAttributes, Operation } from './admission.ts';

/** Whether a request does one of the operations to a resource itself rather than to one of its sub-resources. */
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
