import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, numberAt, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import type { DeleteOptions } from '../../../registry/definition/registry.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { badRequest, invalidObject } from '../../../status/status-error.ts';

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/**
 * The delete options of an Eviction, from `deleteOptions` and the dry run of the request. Throws
 * 400 and 422.
 */
export function evictionOptions(
  eviction: JsonObject,
  request: { readonly dryRun: boolean; readonly apiDomain: string },
): DeleteOptions {
  const sent = objectAt(eviction, 'deleteOptions');
  const policy = stringAt(sent, 'propagationPolicy');
  const errors = optionErrors(sent, policy);
  if (errors.length > 0) {
    throw invalidObject({ group: `meta.${request.apiDomain}`, resource: 'DeleteOptions' }, '', errors);
  }
  const seconds = numberAt(sent, 'gracePeriodSeconds');
  const known = policies.find((candidate) => candidate === policy);
  return {
    dryRun: dryRunOf(stringsAt(sent, 'dryRun'), request.dryRun),
    ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds }),
    ...(known ? { propagationPolicy: known } : {}),
    ...(isSet(sent, 'orphanDependents') ? { orphanDependents: isTrue(sent, 'orphanDependents') } : {}),
    preconditions: preconditionsOf(objectAt(sent, 'preconditions')),
  };
}

function optionErrors(sent: JsonObject, policy: string): FieldError[] {
  const both = isSet(sent, 'orphanDependents') && policy !== '';
  const dryRun = stringsAt(sent, 'dryRun');
  return [
    ...(both
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

function preconditionsOf(sent: JsonObject): NonNullable<DeleteOptions['preconditions']> {
  const uid = stringAt(sent, 'uid');
  const resourceVersion = stringAt(sent, 'resourceVersion');
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}
