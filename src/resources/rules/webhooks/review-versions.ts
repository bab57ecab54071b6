import { validateDns1035Label } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkString } from '../fields/check.ts';
import { repeatsOf } from '../fields/repeats.ts';

/** The versions of reviews that this server can send, to webhooks that admit and to those that convert. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** The versions of reviews that a webhook understands: at least one that this server can send. `missing` is said of none. */
export function checkReviewVersions(field: string, versions: readonly string[], missing = ''): readonly FieldError[] {
  if (versions.length === 0) return [required(field, missing)];
  const repeats = repeatsOf(versions);
  return allErrors(
    errorsOfEach(versions, (one, index) =>
      repeats.has(index)
        ? [invalid(`${field}[${index}]`, one, 'duplicate version')]
        : checkString(`${field}[${index}]`, one, validateDns1035Label),
    ),
    versions.some((one) => reviewVersions.includes(one))
      ? noErrors
      : [invalid(field, versions, `must include at least one of ${reviewVersions.join(', ')}`)],
  );
}
