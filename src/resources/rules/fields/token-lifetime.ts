import { type FieldError, invalid } from '../../../status/field-error.ts';

/** The limits of kube-apiserver. */
const limits = { leastSeconds: 600, mostSeconds: 2 ** 32 };

/** Checks the requested lifetime of a service account token, in seconds. */
export function checkTokenLifetime(field: string, seconds: number): FieldError[] {
  if (seconds < limits.leastSeconds)
    return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > limits.mostSeconds
    ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}
