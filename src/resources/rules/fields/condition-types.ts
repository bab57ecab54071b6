import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, required } from '../../../status/field-error.ts';
import { repeatsOf } from './repeats.ts';

/** An object with conditions. */
type Conditioned = { readonly status: { readonly conditions?: readonly { readonly type?: string }[] } };

/** Checks that the types of `status.conditions` are unique and not empty. */
export function checkConditionTypes({ status: { conditions = [] } }: Conditioned): readonly FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  const repeats = repeatsOf(types);
  return errorsOfEach(types, (type, index) => {
    const field = `status.conditions[${index}].type`;
    return allErrors(
      repeats.has(index) ? [duplicate(field, type)] : noErrors,
      type === '' ? [required(field, 'must not be empty')] : noErrors,
    );
  });
}
