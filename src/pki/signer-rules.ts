import { type AltNameKind, altNameKinds, subjectAltNameOid } from './alt-names.ts';
import type { BuiltInSigner } from './built-in-signers.ts';
import type { CertificateRequest } from './parse-certificate-request.ts';

/** Returns the first rule that a request breaks, as kube-controller-manager reports it. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/**
 * The rules of the built-in signers (spec 2.5). They say nothing about keys. Throw PkiError for
 * names that are malformed.
 */
export const signerRules: Readonly<Record<BuiltInSigner, SignerRule>> = {
  client: (request, usages) => clientUsageError(usages) ?? nameError(request, publicKinds),
  'node-client': nodeClientProblem,
  'node-serving': nodeServingProblem,
  'legacy-unknown': (request) => nameError(request, publicKinds),
};

/** The kinds of names that clients of TLS compare. */
const publicKinds: readonly AltNameKind[] = ['DNS', 'Email', 'IP', 'URI'];

const clientUsages: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'client auth']);

function clientUsageError(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !clientUsages.has(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function nodeClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  return (
    organizationError(request) ??
    nameError(request, []) ??
    commonNameError(request) ??
    usageError(usages, ['client auth', 'digital signature', 'key encipherment'])
  );
}

function nodeServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  return (
    organizationError(request) ??
    servingNameError(request) ??
    usageError(usages, ['digital signature', 'key encipherment', 'server auth']) ??
    commonNameError(request)
  );
}

function organizationError({ subject }: CertificateRequest): string | undefined {
  const { organizations } = subject;
  const isNodes = organizations.length === 1 && organizations[0] === 'system:nodes';
  return isNodes ? undefined : 'subject organization is not system:nodes';
}

/** The error of a common name. Of several, some programs read the first and others the last. */
function commonNameError({ subject }: CertificateRequest): string | undefined {
  if (subject.commonNames.length > 1) return 'subject has more than one common name';
  return subject.commonName.startsWith('system:node:')
    ? undefined
    : 'subject common name does not begin with system:node:';
}

function servingNameError(request: CertificateRequest): string | undefined {
  const kinds = kindsOf(request);
  if (!kinds.has('DNS') && !kinds.has('IP')) return 'DNS or IP subjectAltName is required';
  return nameError(request, ['DNS', 'IP']);
}

function nameError(request: CertificateRequest, allowed: readonly AltNameKind[]): string | undefined {
  const kinds = kindsOf(request);
  const other = reportOrder.find((kind) => kinds.has(kind) && !allowed.includes(kind));
  return other && `${other} subjectAltNames are not allowed`;
}

/** The order in which kinds of names are reported. */
const reportOrder: readonly AltNameKind[] = [
  'DNS',
  'Email',
  'IP',
  'URI',
  'otherName',
  'directoryName',
  'registeredID',
  'x400Address',
  'ediPartyName',
];

function kindsOf({ extensions }: CertificateRequest): ReadonlySet<AltNameKind> {
  return altNameKinds(extensions.get(subjectAltNameOid));
}

function usageError(usages: readonly string[], required: readonly string[]): string | undefined {
  const asked = new Set(usages);
  const isSame = asked.size === required.length && required.every((usage) => asked.has(usage));
  return isSame ? undefined : `usages did not match [${required.join(' ')}]`;
}
