import type { Pod, Volume } from '../../gen/stored/core-v1.ts';
import { allContainers } from './pod.ts';

/** The names of the objects of its namespace that a pod refers to. */
interface PodReferences {
  readonly serviceAccounts: readonly string[];
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly resourceClaims: readonly string[];
}

/** Reads the references of a pod; names may be repeated. */
export function referencesOfPod({ metadata, spec, status }: Pod): PodReferences {
  const containers = allContainers(spec);
  const variables = containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom ?? []));
  const sources = containers.flatMap(({ envFrom = [] }) => envFrom);
  const { volumes = [] } = spec;
  const projected = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  return {
    serviceAccounts: named([spec.serviceAccountName]),
    secrets: named([
      ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
      ...sources.map(({ secretRef }) => secretRef?.name),
      ...variables.map(({ secretKeyRef }) => secretKeyRef?.name),
      ...volumes.flatMap(volumeSecrets),
      ...projected.map(({ secret }) => secret?.name),
    ]),
    configMaps: named([
      ...sources.map(({ configMapRef }) => configMapRef?.name),
      ...variables.map(({ configMapKeyRef }) => configMapKeyRef?.name),
      ...volumes.map(({ configMap }) => configMap?.name),
      ...projected.map(({ configMap }) => configMap?.name),
    ]),
    claims: named(volumes.map((volume) => claimOf(volume, metadata.name ?? ''))),
    resourceClaims: named([
      ...(spec.resourceClaims ?? []).map(({ resourceClaimName }) => resourceClaimName),
      ...(status.resourceClaimStatuses ?? []).map(({ resourceClaimName }) => resourceClaimName),
      status.extendedResourceClaimStatus?.resourceClaimName,
    ]),
  };
}

function named(names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => name || []);
}

function volumeSecrets(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    volume.rbd?.secretRef?.name,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

/** The claim of a volume; the claim of an ephemeral volume is named after pod and volume. */
function claimOf({ name, ephemeral, persistentVolumeClaim }: Volume, podName: string): string | undefined {
  return ephemeral ? `${podName}-${name}` : persistentVolumeClaim?.claimName;
}
