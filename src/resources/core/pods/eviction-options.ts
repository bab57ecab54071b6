import type { DeleteOptions as SentOptions } from '../../../gen/stored/meta-v1.ts';
import type { DeleteOptions } from '../../../registry/definition/registry.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { badRequest, invalidObject } from '../../../status/status-error.ts';

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/**
 * The delete options of an Eviction, from those that were sent and the dry run of the request.
 * Throws 400 and 422.
 */
export function evictionOptions(
  sent: SentOptions,
  request: { readonly dryRun: boolean; readonly apiDomain: string },
): DeleteOptions {
  const { propagationPolicy, gracePeriodSeconds: seconds, orphanDependents, preconditions } = sent;
  const errors = optionErrors(sent);
  if (errors.length > 0) {
    throw invalidObject({ group: `meta.${request.apiDomain}`, resource: 'DeleteOptions' }, '', errors);
  }
  const known = policies.find((candidate) => candidate === propagationPolicy);
  return {
    dryRun: dryRunOf(sent.dryRun ?? [], request.dryRun),
    ...(seconds === undefined ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(known ? { propagationPolicy: known } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    preconditions: { ...preconditions },
  };
}

function optionErrors({ propagationPolicy: policy = '', orphanDependents, dryRun = [] }: SentOptions): FieldError[] {
  return [
    ...(orphanDependents !== undefined && policy !== ''
      ? [invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === '' || policies.some((known) => known === policy)
      ? []
      : [notSupported('propagationPolicy', policy, [...policies, 'nil'])]),
    ...(dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])]),
  ];
}

/** Query and body may both request a dry run. Throws 400 if they disagree. */
function dryRunOf(sent: readonly string[], requested: boolean): boolean {
  if (requested && sent.length > 0 && sent.join() !== 'All') {
    throw badRequest(`Non-matching dry-run options in request and content: [All] and [${sent.join(' ')}]`);
  }
  return requested || sent.length > 0;
}
