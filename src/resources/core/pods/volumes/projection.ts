import type {
  ClusterTrustBundleProjection,
  PodCertificateProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../../../gen/stored/core-v1.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { invalid, notSupported, required } from '../../../../status/field-error.ts';
import { checkTokenLifetime } from '../../../rules/fields/token-lifetime.ts';
import { checkDownwardFiles, checkFilePath, checkKeyPaths } from './reference.ts';
import { identifierSets, identifiersOf } from '../../../../identifiers/identifiers.ts';
import { checkSignerName } from '../../../certificates/certificatesigningrequests/signer-name.ts';
import { validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import { checkLabelSelector } from '../../../rules/fields/labels.ts';

/** The kinds of sources of a projected volume. */
const kinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

/** Checks a projected volume: each source has one kind, and no two write the same file. */
export function checkProjection(volume: FieldCursor<ProjectedVolumeSource>, emulated: EmulatedRelease): void {
  const taken = new Set<string>();
  for (const projection of volume.each('sources')) {
    for (const name of ['secret', 'configMap'] as const) {
      const source = projection.at(name);
      if (!source.isPresent()) continue;
      source.at('name').mustBeSet();
      checkKeyPaths(source);
    }
    const [downward, token] = [projection.at('downwardAPI'), projection.at('serviceAccountToken')];
    const [bundle, certificate] = [projection.at('clusterTrustBundle'), projection.at('podCertificate')];
    if (downward.isPresent()) checkDownwardFiles(downward, emulated);
    if (token.isPresent()) checkToken(token, volume);
    if (bundle.isPresent()) checkTrustBundle(bundle);
    if (certificate.isPresent()) checkPodCertificate(certificate);
    if (kinds.filter((kind) => projection.value[kind]).length > 1) {
      const per = isSince(emulated.release, '1.29') ? ' per source' : '';
      projection.reportForbidden(`may not specify more than 1 volume type${per}`);
    }
    checkPlaces(projection.value, volume, taken);
  }
}

/** The file of a token must be named. A missing name is reported at the volume. */
function checkToken(
  token: FieldCursor<ServiceAccountTokenProjection>,
  volume: FieldCursor<ProjectedVolumeSource>,
): void {
  const { path, expirationSeconds } = token.value;
  token.report(...checkTokenLifetime(`${token.path}.expirationSeconds`, Number(expirationSeconds)));
  if (path === '') token.report(required(`${volume.path}.path`));
}

/**
 * A conflict of paths is reported at the volume. It shows the name of the source, or the path if
 * the source has no name.
 */
function checkPlaces(
  { secret, configMap, downwardAPI, clusterTrustBundle: bundle, podCertificate }: VolumeProjection,
  volume: FieldCursor<ProjectedVolumeSource>,
  taken: Set<string>,
): void {
  const files = [
    ...[secret, configMap].flatMap((source) => (source?.items ?? []).map(({ path }) => ({ path, name: source?.name }))),
    ...(downwardAPI?.items ?? []).map(({ path }) => ({ path, name: undefined })),
    ...[bundle?.path, ...certificateFiles(podCertificate)].map((path = '') => ({ path, name: undefined })),
  ];
  for (const { path, name } of files) {
    if (path === '') continue;
    if (taken.has(path)) volume.reportInvalid('conflicting duplicate paths', name ?? path);
    taken.add(path);
  }
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

/**
 * The limits of certificate lifetimes in seconds; certificates of Kubernetes signers last a day.
 */
const lifetimes = Object.freeze({ least: 3600, most: 91 * 86_400, mostOfOwnSigners: 86_400 });
const ownDomains = identifierSets.map((set) => identifiersOf(set).labelDomain);

/** Checks a pod certificate projection: its signer, key type, lifetime and files. */
function checkPodCertificate(certificate: FieldCursor<PodCertificateProjection>): void {
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

/** The paths of the files that a pod certificate projection writes. */
function certificateFiles(certificate: PodCertificateProjection | undefined): readonly (string | undefined)[] {
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

/** Checks a trust bundle projection: either a bundle name, or a signer. */
function checkTrustBundle(bundle: FieldCursor<ClusterTrustBundleProjection>): void {
  const [name, signer, selector] = [bundle.at('name'), bundle.at('signerName'), bundle.at('labelSelector')];
  if (name.isPresent() && signer.isPresent()) {
    bundle.reportInvalid('only one of name and signerName may be used');
  } else if (name.isPresent()) {
    name.mustBeSet('must be a valid object name');
    for (const message of bundleNameMessages(name.value)) name.reportInvalid(message);
    if (selector.isPresent()) selector.reportInvalid('labelSelector must be unset if name is specified');
  } else if (signer.isPresent()) {
    signer.mustBeSet('must be a valid signer name');
    signer.report(...checkSignerName(signer.path, signer.value));
    if (selector.value) selector.report(...checkLabelSelector(selector.path, selector.value));
  } else bundle.reportRequired('either name or signerName must be specified');
  const file = bundle.at('path');
  file.mustBeSet();
  file.report(...checkFilePath(file.path, file.value));
}

/** Checks the name of a bundle. With a signer the name begins with it, with colons for slashes. */
function bundleNameMessages(name: string): readonly string[] {
  const end = name.lastIndexOf(':');
  return validateDnsSubdomain(name.slice(end + 1)).map((message) => `not a valid clustertrustbundlename: ${message}`);
}
