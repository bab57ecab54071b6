import { validateDns1035Label } from '../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { checkString } from './check.ts';

/** The versions of reviews that this server can send, to webhooks that admit and to those that convert. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** The versions of reviews that a webhook understands: at least one that this server can send. `missing` is said of none. */
export function checkReviewVersions(field: string, versions: readonly string[], missing = ''): FieldError[] {
  if (versions.length === 0) return [required(field, missing)];
  return [
    ...versions.flatMap((one, index) =>
      versions.indexOf(one) < index
        ? [invalid(`${field}[${index}]`, one, 'duplicate version')]
        : checkString(`${field}[${index}]`, one, validateDns1035Label),
    ),
    ...(versions.some((one) => reviewVersions.includes(one))
      ? []
      : [invalid(field, [...versions], `must include at least one of ${reviewVersions.join(', ')}`)]),
  ];
}
