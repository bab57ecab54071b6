import type { JsonObject } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { PodTemplateSpec } from '../../gen/types/core-v1.ts';
import type { LabelSelector } from '../../gen/types/meta-v1.ts';
import { controllerReference } from '../workloads/controller-reference.ts';
import { templateHash } from '../workloads/template-hash.ts';
import { compareRevisions, revisionOf, withRevision } from './deployment-annotations.ts';
import { isRolling, maxSurgeOf } from './rolling-limits.ts';
import { desiredOf, type Rollout, type RolloutSet } from './rollout.ts';
import { hasDeadline, progressOf, progressReasons, setProgress } from './deployment-status.ts';
import { newSetSize } from './rolling-update.ts';

/** The ReplicaSet with the present template: the oldest, if there are several. */
export function findNewSet<Set extends RolloutSet>(
  sets: readonly Set[],
  template: PodTemplateSpec,
  hashLabel: string,
): Set | undefined {
  return sets.find((set) => sameTemplate(set.spec.template, template, hashLabel));
}

/** Compares templates without the label that tells ReplicaSets apart. */
export function sameTemplate(left: PodTemplateSpec, right: PodTemplateSpec, hashLabel: string): boolean {
  const [a, b] = [left, right].map(({ metadata, spec }) => {
    const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
    // Templates are parts of objects, which are JSON.
    return { ...metadata, labels, creationTimestamp: null, template: spec } as unknown as JsonObject;
  });
  return sameValue(a, b);
}

/** Brings the revision and the annotations of the new ReplicaSet and of the Deployment in line. */
export function numberNewSet(rollout: Rollout): void {
  const { deployment, newSet, names } = rollout;
  if (!newSet) return;
  const { annotations = {} } = deployment.metadata;
  newSet.metadata.annotations = withRevision(
    newSet.metadata.annotations ?? {},
    annotations,
    nextRevision(rollout),
    names,
  );
  newSet.spec = { ...newSet.spec, minReadySeconds: deployment.spec.minReadySeconds };
  setRevision(rollout, newSet);
  if (hasDeadline(deployment) && !progressOf(deployment.status)) {
    setProgress(rollout, 'True', progressReasons.found, `Found new replica set "${newSet.metadata.name}"`);
  }
}

/** Makes the ReplicaSet of a new template. */
export function makeNewSet(rollout: Rollout): void {
  const { deployment, names, events } = rollout;
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const { annotations = {}, name, namespace } = metadata;
  const labels = { ...spec.template.metadata?.labels, [names.hashLabel]: hash };
  const made: RolloutSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      ownerReferences: [controllerReference({ ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' })],
    },
    spec: {
      replicas: 0,
      minReadySeconds: spec.minReadySeconds,
      selector: withLabel(spec.selector, names.hashLabel, hash),
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  made.spec.replicas = isRolling(deployment) ? newSetSize(rollout, made) : desiredOf(deployment);
  made.metadata.annotations = {
    ...withRevision({}, annotations, nextRevision(rollout), names),
    [names.desiredReplicas]: String(desiredOf(deployment)),
    [names.maxReplicas]: String(desiredOf(deployment) + maxSurgeOf(deployment)),
  };
  rollout.newSet = made;
  if (made.spec.replicas > 0) {
    const message = `Scaled up replica set ${made.metadata.name} ${names.making(made.spec.replicas)}`;
    events.push({ type: 'Normal', reason: 'ScalingReplicaSet', message });
  }
  if (hasDeadline(deployment)) {
    setProgress(rollout, 'True', progressReasons.created, `Created new replica set "${made.metadata.name}"`);
  }
  setRevision(rollout, made);
}

function withLabel(selector: LabelSelector, name: string, value: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector.matchLabels, [name]: value } };
}

function nextRevision({ oldSets, names }: Rollout): bigint {
  const revisions = oldSets.map((set) => revisionOf(set, names)).toSorted(compareRevisions);
  return (revisions.at(-1) ?? 0n) + 1n;
}

function setRevision({ deployment, names }: Rollout, set: RolloutSet): void {
  const revision = set.metadata.annotations?.[names.revision];
  if (revision === undefined) return;
  deployment.metadata.annotations = { ...deployment.metadata.annotations, [names.revision]: revision };
}
