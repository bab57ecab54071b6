import type { ControllerRevision, Pod, StatefulSet } from '../resources.ts';
import type { PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { templateOf } from '../workloads/keep-revisions.ts';
import { type NewPod, podFromTemplate } from '../workloads/pod-control.ts';

type Volumes = NonNullable<Pod['spec']['volumes']>;

/** The labels of the pods of a StatefulSet. */
interface SetLabels {
  /** The name of the pod. */
  readonly podName: string;
  /** The ordinal of the pod. */
  readonly index: string;
  /** The name of its revision. */
  readonly revision: string;
}

/** The ordinal of a pod by its name; undefined if it is not one of the StatefulSet. */
export function ordinalOf({ metadata }: Pod, set: StatefulSet): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const rest = metadata.name.startsWith(prefix) ? metadata.name.slice(prefix.length) : '';
  return /^(?:0|[1-9][0-9]{0,8})$/.test(rest) ? Number(rest) : undefined;
}

/** The ordinal of the first pod of a StatefulSet. */
export function startOf({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** True if a StatefulSet wants a pod with an ordinal. */
export function wantsOrdinal(set: StatefulSet, ordinal: number): boolean {
  const start = startOf(set);
  return ordinal >= start && ordinal < start + (set.spec.replicas ?? 1);
}

/** Makes the pod of an ordinal, with its name, its host name and its claims as volumes. */
export function setPod(
  set: StatefulSet & ControllingObject,
  ordinal: number,
  revision: ControllerRevision,
  labels: SetLabels,
): NewPod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(templateOf(revision), set);
  const { metadata } = pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      labels: {
        ...metadata.labels,
        [labels.podName]: name,
        [labels.revision]: revision.metadata.name,
        // Servers with a claim retention policy also know the index label.
        ...(set.spec.persistentVolumeClaimRetentionPolicy ? { [labels.index]: String(ordinal) } : {}),
      },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      subdomain: set.spec.serviceName,
      volumes: withClaims(set, ordinal, pod.spec.volumes),
    },
  };
}

/** The volumes of a pod with its claims, which take the place of volumes with the same names. */
export function withClaims(set: StatefulSet, ordinal: number, volumes: Volumes = []): Volumes {
  const claims = claimsOf(set, ordinal);
  const own = new Set(claims.map(({ template }) => template));
  return [
    ...claims.map(({ template, claim }) => ({
      name: template,
      persistentVolumeClaim: { claimName: claim.metadata?.name ?? '' },
    })),
    ...volumes.filter((volume) => !own.has(volume.name)),
  ];
}

/** True if a pod of an ordinal has its claims as volumes. */
export function hasClaims(set: StatefulSet, ordinal: number, { spec }: Pod): boolean {
  return claimsOf(set, ordinal).every(({ template, claim }) =>
    spec.volumes?.some(
      ({ name, persistentVolumeClaim: source }) => name === template && source?.claimName === claim.metadata?.name,
    ),
  );
}

/** The claims of an ordinal, with the names of their templates. */
export function claimsOf(
  { metadata, spec }: StatefulSet,
  ordinal: number,
): { template: string; claim: PersistentVolumeClaim }[] {
  return (spec.volumeClaimTemplates ?? []).map((template) => {
    const { name = '', labels, annotations } = template.metadata ?? {};
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `${name}-${metadata.name}-${ordinal}`,
        namespace: metadata.namespace,
        labels: { ...labels, ...spec.selector.matchLabels },
        annotations,
      },
      spec: template.spec,
    };
    return { template: name, claim };
  });
}
