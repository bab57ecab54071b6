import type { PodCertificateRequest, PodCertificateRequestSpec } from '../../../gen/stored/certificates-v1beta1.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { formatLabels, nameColumn, textColumn } from '../../columns/column.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';
import { validateIssue } from './validate-issue.ts';
import { type NameRule, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, tooLong } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkSignerName } from '../certificatesigningrequests/signer-name.ts';
import { keyErrors } from './key.ts';

const kept = keepMetadata(allFields);

/** The `status` sub-resource: a signer decides once. */
const status: SubresourceStrategy<PodCertificateRequest> = {
  ...kept,
  validateUpdate: validateIssue,
};

/** The strategy of PodCertificateRequests. The spec is immutable. */
const strategy: Strategy<PodCertificateRequest> = {
  validateCreate: validateNewRequest,
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec),
  allowUnconditionalUpdate: false,
  generation: false,
  selectableFields: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
  fieldsOf: ({ spec }) => ({
    'spec.signerName': spec.signerName,
    'spec.podName': spec.podName,
    'spec.nodeName': spec.nodeName,
  }),
  // Writers of the object may own the status, and writers of the status the metadata, without
  // effect.
  resetFields: () => ({ '': [], status: [['f:spec']] }),
  subresources: { status },
};

/** The columns of PodCertificateRequests. */
const columns: readonly Column<PodCertificateRequest>[] = [
  nameColumn,
  textColumn('PodName', 'Name of the pod.', ({ spec }) => spec.podName),
  textColumn('ServiceAccountName', 'Service account of the pod.', ({ spec }) => spec.serviceAccountName),
  textColumn('NodeName', 'Node of the pod.', ({ spec }) => spec.nodeName),
  textColumn('SignerName', 'Signer that is asked.', ({ spec }) => spec.signerName),
  textColumn('State', 'Decision of the signer: Issued, Denied or Failed; Pending before it.', (request) => {
    const decided = (request.status.conditions ?? []).filter(({ type }) =>
      ['Issued', 'Denied', 'Failed'].includes(type),
    );
    return decided.at(-1)?.type ?? 'Pending';
  }),
  textColumn('UnverifiedUserAnnotations', 'Annotations for the signer, which nobody has verified.', ({ spec }) =>
    formatLabels(spec.unverifiedUserAnnotations),
  ),
];

/** The resource `podcertificaterequests` of the group `certificates`. */
export const podCertificateRequests = builtIn<PodCertificateRequest>({
  group: 'certificates',
  resource: 'podcertificaterequests',
  kind: 'PodCertificateRequest',
  namespaced: true,
  versions: {
    v1beta1: { introduced: '1.35', optIn: true, gate: 'PodCertificateRequest' },
    v1alpha1: { introduced: '1.34', gate: 'PodCertificateRequest', deprecated: { since: '1.35', removed: '1.35' } },
  },
  subresources: [statusSubresource],
  columns,
  strategy,
});

/** All errors of a new request. The spec is immutable, so updates do not check it. */
function validateNewRequest({ spec }: PodCertificateRequest, context: StrategyContext): readonly FieldError[] {
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

/** The errors of annotations, whose keys must have a domain. */
function annotationErrors(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  const field = 'spec.unverifiedUserAnnotations';
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => checkString(field, key, validateDomainKey)),
    ...(size > annotationsLimit ? [tooLong(field, annotationsLimit)] : []),
  ];
}

const validateDomainKey: NameRule = (key) => {
  const problems = validateQualifiedName(key.toLowerCase());
  return problems.length > 0 || key.includes('/')
    ? problems
    : ['must be a domain-prefixed key (such as "acme.io/foo")'];
};

const hour = 60 * 60;
const shortestLifetime = hour;
const longestLifetime = 91 * 24 * hour;
/** The longest lifetime of certificates from Kubernetes signers, in seconds. */
const longestSystemLifetime = 24 * hour;

function lifetimeErrors({ signerName, maxExpirationSeconds }: PodCertificateRequestSpec, domain: string) {
  const [signerDomain = ''] = signerName.split('/');
  const isSystem = signerDomain === domain || signerDomain.endsWith(`.${domain}`);
  const longest = isSystem ? longestSystemLifetime : longestLifetime;
  if (maxExpirationSeconds >= shortestLifetime && maxExpirationSeconds <= longest) return [];
  const detail = `must be in the range [${shortestLifetime}, ${longest}]`;
  return [invalid('spec.maxExpirationSeconds', maxExpirationSeconds, detail)];
}
