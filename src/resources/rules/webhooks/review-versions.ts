import { validateDns1035Label } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkString } from '../fields/check.ts';
import { repeatsOf } from '../fields/repeats.ts';

/** The versions of AdmissionReview and ConversionReview that this server can send. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/**
 * Checks the review versions that a webhook accepts: at least one must be a version that this
 * server can send. `missing` is the detail of the error for an empty list.
 */
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
