import { StatusError } from '../../../status/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';

/** A denial of a request by a policy. */
export interface Denial {
  readonly policy: string;
  /** The name of the binding; undefined if the policy cannot be evaluated for any binding. */
  readonly binding: string | undefined;
  readonly message: string;
  /** The reason of a failed validation; undefined for an error. */
  readonly reason: string | undefined;
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};

/** The error for a request that a policy denies. */
export function policyRefusal(attributes: AdmissionAttributes, denial: Denial): StatusError {
  const { policy, binding, reason = 'Invalid' } = denial;
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy ${by} denied request: ${denial.message}`;
  const { message, details } = forbidden(attributes, why, [{ message: why }]);
  return new StatusError('Forbidden', message, {
    reason,
    code: codes[reason] ?? 422,
    ...(details ? { details } : {}),
  });
}
