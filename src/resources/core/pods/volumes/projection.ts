import type {
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../../../gen/stored/core-v1.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { required } from '../../../../status/field-error.ts';
import { checkTokenLifetime } from '../../../rules/fields/token-lifetime.ts';
import { checkPodCertificate, certificateFiles } from './pod-certificate.ts';
import { checkDownwardFiles, checkKeyPaths } from './reference.ts';
import { checkTrustBundle } from './trust-bundle.ts';

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
