import type { JsonObject } from '../../../meta/json-value.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, duplicate, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { numberAt, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { certificateFault } from './certificate.ts';
import { checkConditions, checkDecisionsKept } from './conditions.ts';
import { requestFault } from './request.ts';
import { checkSignerName } from './signer-name.ts';
import { keyUsages } from './usages.ts';

/** Minimum of `expirationSeconds` (spec 2.5). */
const leastExpirationSeconds = 600;

/**
 * All errors of a new request (spec 2.5, section 7). The spec is immutable, so updates do not check
 * it.
 */
export function validateNewRequest(request: JsonObject, context: StrategyContext): FieldError[] {
  const spec = objectAt(request, 'spec');
  const encoded = stringAt(spec, 'request');
  const fault = requestFault(encoded);
  return [
    ...(fault === '' ? [] : [invalid('spec.request', encoded, fault)]),
    ...usageErrors(stringsAt(spec, 'usages'), context),
    ...signerErrors(stringAt(spec, 'signerName'), context),
    ...expirationErrors(numberAt(spec, 'expirationSeconds')),
  ];
}

/** Checks the usages. v1beta1 also accepts repeated and unknown usages, and has a default. */
function usageErrors(usages: readonly string[], { version }: StrategyContext): readonly FieldError[] {
  if (usages.length === 0) return [required('spec.usages', 'usages must be provided')];
  if (version === 'v1beta1') return [];
  const repeats = repeatsOf(usages);
  return allErrors(
    checkEach('spec.usages', usages, (usage, path) =>
      keyUsages.includes(usage) ? noErrors : [notSupported(path, usage, keyUsages)],
    ),
    errorsOfEach([...repeats], (index) => [duplicate(`spec.usages[${index}]`, usages[index])]),
  );
}

function signerErrors(signerName: string, { identifiers, version }: StrategyContext): FieldError[] {
  return version === 'v1' && signerName === `${identifiers.labelDomain}/legacy-unknown`
    ? [invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
    : checkSignerName('spec.signerName', signerName);
}

function expirationErrors(seconds: number | undefined): FieldError[] {
  return seconds !== undefined && seconds < leastExpirationSeconds
    ? [
        invalid(
          'spec.expirationSeconds',
          seconds,
          `may not specify a duration less than ${leastExpirationSeconds} seconds (10 minutes)`,
        ),
      ]
    : [];
}

/** The errors of an approval: it may change conditions only. */
export function validateApproval(request: JsonObject, old: JsonObject, { version }: StrategyContext): FieldError[] {
  return [...checkConditions(request, old, version), ...checkDecisionsKept(request, old, true)];
}

/**
 * The errors of a signing. The certificate may be set once, and conditions may not approve or deny.
 */
export function validateSigning(request: JsonObject, old: JsonObject, { version }: StrategyContext): FieldError[] {
  return [
    ...checkConditions(request, old, version),
    ...checkDecisionsKept(request, old, false),
    ...certificateErrors(certificateOf(request), certificateOf(old), version),
  ];
}

function certificateOf(request: JsonObject): string {
  return stringAt(objectAt(request, 'status'), 'certificate');
}

/** Checks the certificate. v1beta1 accepts any content, and allows it to change. */
function certificateErrors(certificate: string, old: string, version: string): FieldError[] {
  if (certificate === old) return [];
  const isFree = certificate === '' || version === 'v1beta1';
  const fault = isFree ? '' : certificateFault(Buffer.from(certificate, 'base64').toString('latin1'));
  return [
    ...(fault === '' ? [] : [invalid('status.certificate', '<certificate data>', fault)]),
    ...(old === '' || version === 'v1beta1'
      ? []
      : [forbidden('status.certificate', 'updates may not modify existing certificate content')]),
  ];
}
