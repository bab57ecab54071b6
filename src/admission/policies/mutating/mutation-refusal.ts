import { StatusError } from '../../../status/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** A failure of a policy. */
export interface PolicyFailure {
  readonly policy: MutatingPolicy;
  /** The name of the binding; undefined if the policy cannot be evaluated for any binding. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: 'Invalid' | undefined;
}

/** The error for a request for which policies failed. The first failure gives the reason. */
export function mutationRefusal(attributes: AdmissionAttributes, failures: readonly PolicyFailure[]): StatusError {
  const causes = failures.map((failure) => ({ message: textOf(failure) }));
  const { details } = forbidden(attributes, '', causes);
  return new StatusError('Forbidden', causes[0]?.message ?? '', {
    ...(failures[0]?.reason ? { reason: failures[0].reason } : {}),
    ...(details ? { details } : {}),
    code: 403,
  });
}

function textOf({ policy, binding, message }: PolicyFailure): string {
  const by = binding === undefined ? JSON.stringify(policy.name) : `'${policy.name}' with binding '${binding}'`;
  return `policy ${by} denied request: ${message}`;
}
