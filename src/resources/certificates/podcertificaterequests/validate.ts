import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../../gen/stored/certificates-v1beta1.ts';
import { type NameRule, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid, tooLong } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkSignerName } from '../certificatesigningrequests/signer-name.ts';
import { keyErrors } from './key.ts';

/** All errors of a new request. The spec is immutable, so updates do not check it. */
export function validateNewRequest({ spec }: PodCertificateRequest, context: StrategyContext): readonly FieldError[] {
  const errors = [
    ...checkSignerName('spec.signerName', spec.signerName),
    ...annotationErrors(spec.unverifiedUserAnnotations ?? {}),
    ...identityErrors(spec, 'podName', 'podUID'),
    ...identityErrors(spec, 'serviceAccountName', 'serviceAccountUID'),
    ...identityErrors(spec, 'nodeName', 'nodeUID'),
    ...lifetimeErrors(spec, context.identifiers.labelDomain),
  ];
  return [...errors, ...keyErrors(spec)];
}

const longestUid = 128;

type NameField = 'podName' | 'serviceAccountName' | 'nodeName';
type UidField = 'podUID' | 'serviceAccountUID' | 'nodeUID';

function identityErrors(spec: PodCertificateRequestSpec, nameField: NameField, uidField: UidField): FieldError[] {
  const uid = spec[uidField];
  const field = `spec.${uidField}`;
  return [
    ...checkString(`spec.${nameField}`, spec[nameField], validateDnsSubdomain),
    ...(uid === '' ? [invalid(field, uid, 'must not be empty')] : []),
    ...(Buffer.byteLength(uid) > longestUid ? [tooLong(field, longestUid)] : []),
  ];
}

/** Maximum size in bytes of all keys and values together. */
const annotationsLimit = 256 * 1024;

/** The rules of annotations; all keys must have a domain. */
function annotationErrors(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  const field = 'spec.unverifiedUserAnnotations';
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => checkString(field, key, domainKeyFaults)),
    ...(size > annotationsLimit ? [tooLong(field, annotationsLimit)] : []),
  ];
}

const domainKeyFaults: NameRule = (key) => {
  const faults = validateQualifiedName(key.toLowerCase());
  return faults.length > 0 || key.includes('/') ? faults : ['must be a domain-prefixed key (such as "acme.io/foo")'];
};

const hour = 60 * 60;
const shortestLifetime = hour;
const longestLifetime = 91 * 24 * hour;
/** The signers of the system issue for at most a day. */
const longestSystemLifetime = 24 * hour;

function lifetimeErrors({ signerName, maxExpirationSeconds }: PodCertificateRequestSpec, domain: string) {
  const [signerDomain = ''] = signerName.split('/');
  const isSystem = signerDomain === domain || signerDomain.endsWith(`.${domain}`);
  const longest = isSystem ? longestSystemLifetime : longestLifetime;
  if (maxExpirationSeconds >= shortestLifetime && maxExpirationSeconds <= longest) return [];
  const detail = `must be in the range [${shortestLifetime}, ${longest}]`;
  return [invalid('spec.maxExpirationSeconds', maxExpirationSeconds, detail)];
}
