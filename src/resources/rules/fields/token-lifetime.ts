import { type FieldError, invalid } from '../../../status/field-error.ts';

/** A token must be worth the signing, and fit what clocks of 32 bits count. */
const limits = { leastSeconds: 600, mostSeconds: 2 ** 32 };

/** How long a token of a service account may be asked for. */
export function checkTokenLifetime(field: string, seconds: number): FieldError[] {
  if (seconds < limits.leastSeconds)
    return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > limits.mostSeconds
    ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}
