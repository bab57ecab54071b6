import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';

const policies = ['PreemptLowerPriority', 'Never'];

/**
 * Checks the `preemptionPolicy` of a PriorityClass or of a pod spec, which is the object at `path`
 * ('' for the root). An empty policy is not a missing one.
 */
export function checkPreemptionPolicy(
  path: string,
  { preemptionPolicy: policy }: { readonly preemptionPolicy?: string },
): readonly FieldError[] {
  if (policy === undefined) return noErrors;
  const field = path === '' ? 'preemptionPolicy' : `${path}.preemptionPolicy`;
  if (policy === '') return [required(field)];
  return policies.includes(policy) ? noErrors : [notSupported(field, policy, policies)];
}
