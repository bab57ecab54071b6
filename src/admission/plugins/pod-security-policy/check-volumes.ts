import path from 'node:path';
import type { DownwardAPIVolumeFile, PodSpec, Volume, VolumeProjection } from '../../../gen/stored/core-v1.ts';
import type { PodSecurityPolicySpec as PolicySpec } from '../../../gen/stored/policy-v1beta1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { containerLists } from './default-security.ts';

/** Checks the volumes of a Pod against a policy. */
export function checkVolumes(podSpec: PodSpec, policySpec: PolicySpec, identifiers: Identifiers): FieldError[] {
  const { volumes: allowed = [] } = policySpec;
  return (podSpec.volumes ?? []).flatMap((volume, index) => {
    const field = `spec.volumes[${index}]`;
    const type = volumeType(volume);
    const isAllowed =
      allowed.includes('*') ||
      allowed.includes(type) ||
      (allowed.includes('secret') && isAccountToken(volume, identifiers));
    if (!isAllowed) return [invalid(field, type, `${type} volumes are not allowed to be used`)];
    return sourceChecks[type]?.(field, volume, { podSpec, policySpec }) ?? [];
  });
}

/** The type of a volume, which a policy names with one more capital letter in one case. */
function volumeType(volume: Volume): string {
  const type = Object.keys(volume).find((field) => field !== 'name') ?? '';
  return type === 'cephfs' ? 'cephFS' : type;
}

interface VolumeContext {
  readonly podSpec: PodSpec;
  readonly policySpec: PolicySpec;
}

/** The further checks of some types. An empty list of a policy allows all. */
const sourceChecks: Readonly<
  Record<string, (field: string, volume: Volume, context: VolumeContext) => readonly FieldError[]>
> = {
  hostPath: checkHostPath,
  flexVolume: (field, { flexVolume }, { policySpec: { allowedFlexVolumes } }) => {
    const driver = flexVolume?.driver ?? '';
    return isListed(
      driver,
      allowedFlexVolumes?.map((allowed) => allowed.driver),
    )
      ? []
      : [invalid(`${field}.driver`, driver, 'Flexvolume driver is not allowed to be used')];
  },
  csi: (field, { csi }, { policySpec: { allowedCSIDrivers } }) => {
    const driver = csi?.driver ?? '';
    return isListed(
      driver,
      allowedCSIDrivers?.map(({ name }) => name),
    )
      ? []
      : [invalid(`${field}.csi.driver`, driver, 'Inline CSI driver is not allowed to be used')];
  },
};

function isListed(driver: string, allowed: readonly string[] = []): boolean {
  return allowed.length === 0 || allowed.includes(driver);
}

function checkHostPath(field: string, volume: Volume, context: VolumeContext): readonly FieldError[] {
  const hostPath = volume.hostPath?.path ?? '';
  const { allowedHostPaths: prefixes = [] } = context.policySpec;
  if (prefixes.length === 0) return [];
  const matching = prefixes.filter(({ pathPrefix = '' }) => isBelow(hostPath, pathPrefix));
  if (matching.length === 0) {
    return [invalid(`${field}.hostPath.pathPrefix`, hostPath, 'is not allowed to be used')];
  }
  const isReadOnly = matching.every(({ readOnly }) => readOnly);
  return isReadOnly ? writableMounts(context.podSpec, volume.name) : [];
}

/** Reports whether a path is a directory or in it. Neither may leave it by `..`. */
function isBelow(hostPath: string, directory: string): boolean {
  const [child, parent] = [clean(hostPath), clean(directory)];
  return child === parent || parent === '/' || child.startsWith(`${parent}/`);
}

function clean(text: string): string {
  const normal = path.posix.normalize(text);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function writableMounts(podSpec: PodSpec, volume: string): readonly FieldError[] {
  return containerLists.flatMap((list) =>
    (podSpec[list] ?? []).flatMap(({ volumeMounts = [] }, at) =>
      volumeMounts.flatMap(({ name, readOnly }, index) =>
        name === volume && !readOnly
          ? [invalid(`spec.${list}[${at}].volumeMounts[${index}].readOnly`, false, 'must be read-only')]
          : [],
      ),
    ),
  );
}

/**
 * Reports whether a projected volume has only the sources that the server itself gives to Pods: the
 * token of their service account, the root CA and their namespace. Policies for Secrets allow it.
 */
function isAccountToken({ projected }: Volume, { rootCaConfigMap }: Identifiers): boolean {
  const isOwn = ({ serviceAccountToken: token, configMap, downwardAPI }: VolumeProjection): boolean =>
    (token ?? configMap ?? downwardAPI) !== undefined &&
    (!token || (token.path === 'token' && !token.audience)) &&
    (!configMap || configMap.name === rootCaConfigMap) &&
    (downwardAPI?.items ?? []).every(isOwnItem);
  return projected !== undefined && (projected.sources ?? []).every(isOwn);
}

function isOwnItem({ path: file, fieldRef }: DownwardAPIVolumeFile): boolean {
  return file === 'namespace' && fieldRef?.apiVersion === 'v1' && fieldRef.fieldPath === 'metadata.namespace';
}
