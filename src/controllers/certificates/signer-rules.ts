import { type AltNameKinds, altNameKinds, subjectAltNameOid } from '../../pki/certificate-extensions.ts';
import type { CertificateRequest } from '../../pki/parse-certificate-request.ts';
import type { BuiltInSigner } from './built-in-signers.ts';

/** Returns the first rule that a request breaks, as kube-controller-manager reports it. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The rules of the built-in signers. */
export const signerRules: Readonly<Record<BuiltInSigner, SignerRule>> = {
  client: (_, usages) => clientFault(usages),
  'node-client': nodeClientFault,
  'node-serving': nodeServingFault,
  'legacy-unknown': () => undefined,
};

const clientUsages: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'client auth']);

function clientFault(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !clientUsages.has(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** Checks a request for a client certificate of a node. */
export function nodeClientFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const names = altNamesOf(request);
  if (!isOrganization(request)) return messages.organization;
  const kinds = [
    ['dns', 'DNS'],
    ['email', 'Email'],
    ['ip', 'IP'],
    ['uri', 'URI'],
  ] as const;
  const named = kinds.find(([kind]) => names[kind]);
  if (named) return `${named[1]} subjectAltNames are not allowed`;
  if (!isNodeName(request)) return messages.commonName;
  return usageFault(usages, ['client auth', 'digital signature', 'key encipherment']);
}

function nodeServingFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const names = altNamesOf(request);
  if (!isOrganization(request)) return messages.organization;
  if (!names.dns && !names.ip) return 'DNS or IP subjectAltName is required';
  if (names.email) return 'Email subjectAltNames are not allowed';
  if (names.uri) return 'URI subjectAltNames are not allowed';
  const fault = usageFault(usages, ['digital signature', 'key encipherment', 'server auth']);
  return fault ?? (isNodeName(request) ? undefined : messages.commonName);
}

const messages = Object.freeze({
  organization: 'subject organization is not system:nodes',
  commonName: 'subject common name does not begin with system:node:',
});

function isOrganization({ subject }: CertificateRequest): boolean {
  return subject.organizations.length === 1 && subject.organizations[0] === 'system:nodes';
}

function isNodeName({ subject }: CertificateRequest): boolean {
  return subject.commonName.startsWith('system:node:');
}

function altNamesOf({ extensions }: CertificateRequest): AltNameKinds {
  return altNameKinds(extensions.get(subjectAltNameOid));
}

function usageFault(usages: readonly string[], required: readonly string[]): string | undefined {
  const same = usages.length === required.length && required.every((usage) => usages.includes(usage));
  return same ? undefined : `usages did not match [${required.join(' ')}]`;
}
