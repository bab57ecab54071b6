import type { PodCertificateProjection } from '../../../../gen/stored/core-v1.ts';
import { identifierSets, identifiersOf } from '../../../../identifiers/identifiers.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { invalid, notSupported } from '../../../../status/field-error.ts';
import { checkSignerName } from '../../../certificates/certificatesigningrequests/signer-name.ts';
import { checkFilePath } from './reference.ts';

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

/** The limits of the life of a certificate in seconds: for signers of Kubernetes, a day. */
const lifetimes = Object.freeze({ least: 3600, most: 91 * 86_400, mostOfOwnSigners: 86_400 });
const ownDomains = identifierSets.map((set) => identifiersOf(set).labelDomain);

/** Checks the projection of a certificate of the pod: its signer, key, lifetime and files. */
export function checkPodCertificate(certificate: FieldCursor<PodCertificateProjection>): void {
  const { signerName = '', keyType = '' } = certificate.value;
  certificate.report(...checkSignerName(`${certificate.path}.signerName`, signerName));
  if (!keyTypes.includes(keyType)) {
    certificate.report(notSupported(`${certificate.path}.keyType`, keyType, keyTypes));
  }
  checkLifetime(certificate);
  const paths = files.map((name) => certificate.at(name)).filter(({ isSet }) => isSet);
  for (const { path, value = '', errors } of paths) errors.push(...checkFilePath(path, value));
  if (paths.length === 0) {
    certificate.reportRequired('specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}

/** The files that the projection of a certificate writes. */
export function certificateFiles(certificate: PodCertificateProjection | undefined): readonly (string | undefined)[] {
  return certificate ? files.map((name) => certificate[name]) : [];
}

function checkLifetime({ value, path, errors }: FieldCursor<PodCertificateProjection>): void {
  const { maxExpirationSeconds: seconds, signerName = '' } = value;
  if (seconds === undefined) return;
  const [domain = ''] = signerName.split('/', 1);
  const isOwn = ownDomains.some((own) => domain === own || domain.endsWith(`.${own}`));
  const most = isOwn ? lifetimes.mostOfOwnSigners : lifetimes.most;
  const [field, name] = [`${path}.maxExpirationSeconds`, 'if provided, maxExpirationSeconds must be'];
  if (seconds < lifetimes.least) errors.push(invalid(field, seconds, `${name} >= ${lifetimes.least}`));
  if (seconds > most) errors.push(invalid(field, seconds, `${name} <= ${most}`));
}
