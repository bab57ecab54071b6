import type { X509Certificate } from 'node:crypto';
import type { PodCertificateRequest, PodCertificateRequestStatus } from '../../../gen/stored/certificates-v1beta1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { loosePemBlocks } from '../../../pki/pem.ts';
import {
  type FieldError,
  invalid,
  invalidUnshown,
  notSupported,
  required,
  tooLong,
} from '../../../status/field-error.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { checkCondition } from '../../rules/fields/check-conditions.ts';
import { readCertificate } from '../clustertrustbundles/trust-bundle.ts';
import { requestedKey } from './key.ts';

const decisions = ['Issued', 'Denied', 'Failed'];

/**
 * The errors of a signer's decision. A request is decided once. `Issued` requires a certificate for
 * its key, with matching times.
 */
export function validateIssue(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
  { identifiers }: StrategyContext,
): readonly FieldError[] {
  const { status } = request;
  const errors = [...decisionErrors(status), ...conditionErrors(request)];
  if (errors.length > 0) return errors;
  const isSame = sameValue(status, old.status);
  if (decisionOf(old.status) !== undefined) {
    return isSame ? [] : [refused('immutable after PodCertificateRequest is issued, denied, or failed')];
  }
  switch (decisionOf(status)) {
    case 'Issued':
      return firstErrors(request, `${identifiers.prefix}apiserver`);
    case undefined:
      return isSame ? [] : [refused('status is immutable unless transitioning to "Issued", "Denied", or "Failed"')];
    default:
      return Object.keys(status).every((name) => name === 'conditions')
        ? []
        : [refused('non-condition status fields must be empty when denying or failing the PodCertificateRequest')];
  }
}

function conditionErrors(request: PodCertificateRequest): readonly FieldError[] {
  const cursor = new FieldCursor(request);
  const seen = new Set<unknown>();
  for (const condition of cursor.at('status').each('conditions')) checkCondition(condition, seen);
  return cursor.errors;
}

function refused(detail: string): FieldError {
  return invalidUnshown('status', detail);
}

function decisionOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return conditions.find(({ type, status }) => decisions.includes(type) && status === 'True')?.type;
}

function decisionErrors({ conditions = [] }: PodCertificateRequestStatus): readonly FieldError[] {
  let known = 0;
  // kube-apiserver has a dot before the index in these paths only.
  return conditions.flatMap(({ type, status }, index) => {
    const path = `status.conditions.[${index}]`;
    if (!decisions.includes(type)) return [notSupported(`${path}.type`, type, decisions)];
    known++;
    const only = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
    return [
      ...(known > 1 ? [invalid(`${path}.type`, type, only)] : []),
      ...(status === 'True' ? [] : [notSupported(`${path}.status`, status, ['True'])]),
    ];
  });
}

/** Maximum size of a certificate chain in bytes, checked before parsing. */
const chainLimit = 100 * 1024;
const chainField = 'status.certificateChain';

/** The errors of the first broken rule; later rules assume the earlier ones. */
function firstErrors({ spec, status }: PodCertificateRequest, server: string): readonly FieldError[] {
  const chain = status.certificateChain ?? '';
  if (Buffer.byteLength(chain) > chainLimit) return [tooLong(chainField, chainLimit)];
  const [leafBlock, ...others] = loosePemBlocks(chain);
  const wrongChain = (detail: string): readonly FieldError[] => [invalid(chainField, chain, detail)];
  if (!leafBlock) return wrongChain('issued certificate chain must contain at least one certificate');
  if (leafBlock.label !== 'CERTIFICATE') {
    return wrongChain('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const leaf = readCertificate(leafBlock.der);
  if (!leaf) return wrongChain('leaf certificate does not parse as valid X.509');
  const nameErrors = leafNameErrors(leaf);
  if (nameErrors.length > 0) return nameErrors;
  if (requestedKey(spec)?.equals(leaf.publicKey) !== true) {
    return wrongChain('leaf certificate was not issued to the requested public key');
  }
  const times = timeErrors(status, leaf, { longestSeconds: spec.maxExpirationSeconds ?? 0, server });
  if (times.length > 0) return times;
  if (others.some(({ label }) => label !== 'CERTIFICATE')) {
    return wrongChain('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
  }
  const isWhole = others.every(({ der }) => readCertificate(der) !== undefined);
  return isWhole ? [] : wrongChain('intermediate certificate does not parse as valid X.509');
}

/** The errors of the DNS names and mail addresses of a certificate. */
function leafNameErrors({ subjectAltName = '' }: X509Certificate): readonly FieldError[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    if (entry.startsWith('DNS:')) return dnsNameErrors(entry.slice('DNS:'.length));
    const mail = entry.startsWith('email:') ? entry.slice('email:'.length) : undefined;
    if (mail === undefined || /^[^@\s<>]+@[^@\s<>]+$/.test(mail)) return [];
    return [invalid(chainField, mail, 'leaf certificate should not contain invalid EmailAddress')];
  });
}

function dnsNameErrors(name: string): readonly FieldError[] {
  const error = (detail: string): FieldError => invalid(chainField, name, detail);
  return [
    ...(name === '' ? [error('leaf certificate should not contain empty DNSName')] : []),
    ...(name.includes('..') ? [error("leaf certificate's DNSName should not contain '..'")] : []),
    ...(name.startsWith('.') || name.endsWith('.')
      ? [error("leaf certificate's DNSName should not start or end with '.'")]
      : []),
  ];
}

const minuteMs = 60_000;
const skewMs = 5 * minuteMs;
const refreshMarginMs = 10 * minuteMs;

function timeErrors(
  { notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus,
  leaf: X509Certificate,
  { longestSeconds, server }: { readonly longestSeconds: number; readonly server: string },
): readonly FieldError[] {
  if (!notBefore || !notAfter || !beginRefreshAt) {
    const consistent = 'must be present and consistent with the issued certificate';
    return [
      ...(notBefore ? [] : [required('status.notBefore', consistent)]),
      ...(notAfter ? [] : [required('status.notAfter', consistent)]),
      ...(beginRefreshAt
        ? []
        : [required('status.beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]')]),
    ];
  }
  const [startMs, endMs, refreshMs] = [notBefore, notAfter, beginRefreshAt].map((time) => Date.parse(time));
  const [leafStartMs, leafEndMs] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const lifetimeMs = leafEndMs - leafStartMs;
  const rules: readonly (readonly [ok: boolean, field: string, value: unknown, detail: string])[] = [
    [startMs === leafStartMs, 'status.notBefore', notBefore, encoded('NotBefore')],
    [
      Math.abs(leafStartMs - Date.now()) < skewMs,
      'status.notBefore',
      notBefore,
      `must be set to within 5 minutes of ${server}'s current time`,
    ],
    [endMs === leafEndMs, 'status.notAfter', notAfter, encoded('NotAfter')],
    [lifetimeMs >= 60 * minuteMs, chainField, lifetimeMs / 1000, 'leaf certificate lifetime must be >= 1 hour'],
    [
      lifetimeMs <= longestSeconds * 1000,
      chainField,
      lifetimeMs / 1000,
      `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${longestSeconds})`,
    ],
    [
      (refreshMs ?? 0) >= leafStartMs + refreshMarginMs,
      'status.beginRefreshAt',
      beginRefreshAt,
      'must be at least 10 minutes after status.notBefore',
    ],
    [
      (refreshMs ?? 0) <= leafEndMs - refreshMarginMs,
      'status.beginRefreshAt',
      beginRefreshAt,
      'must be at least 10 minutes before status.notAfter',
    ],
  ];
  const broken = rules.find(([ok]) => !ok);
  return broken ? [invalid(broken[1], broken[2], broken[3])] : [];
}

function encoded(name: string): string {
  return `must be set to the ${name} time encoded in the leaf certificate`;
}
