import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Deployment, ReplicaSet } from '../resources.ts';
import { compareRevisions, revisionOf, type RolloutNames } from './deployment-annotations.ts';
import { sameTemplate } from './find-new-set.ts';

/** The change of a Deployment for a roll back that an annotation requests. */
interface RollBackPlan {
  /** The Deployment without the request, and with the earlier template if it was found. */
  readonly deployment: Deployment;
  readonly event: EventDescription;
}

/** Plans a roll back; undefined if none is requested. Revision 0 is that before the last one. */
export function planRollBack(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  names: RolloutNames,
): RollBackPlan | undefined {
  const { [names.rollback]: requested, ...annotations } = deployment.metadata.annotations ?? {};
  if (requested === undefined) return undefined;
  const cleared = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  const wanted = /^[0-9]{1,19}$/.test(requested) ? BigInt(requested) : 0n;
  const revision = wanted || previousRevision(sets, names);
  if (revision === 0n)
    return {
      deployment: cleared,
      event: warning('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.'),
    };
  const target = sets.find((set) => revisionOf(set, names) === revision);
  if (!target) {
    return {
      deployment: cleared,
      event: warning('DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'),
    };
  }
  const { name } = deployment.metadata;
  if (sameTemplate(target.spec.template, deployment.spec.template, names.hashLabel)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    return { deployment: cleared, event: warning('DeploymentRollbackTemplateUnchanged', message) };
  }
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  return {
    deployment: withTemplate(cleared, target, names),
    event: { type: 'Normal', reason: 'DeploymentRollback', message },
  };
}

function previousRevision(sets: readonly ReplicaSet[], names: RolloutNames): bigint {
  const revisions = sets.map((set) => revisionOf(set, names)).toSorted(compareRevisions);
  return revisions.at(-2) ?? 0n;
}

function withTemplate(deployment: Deployment, { metadata, spec }: ReplicaSet, names: RolloutNames): Deployment {
  const { [names.hashLabel]: _, ...labels } = spec.template.metadata?.labels ?? {};
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => names.notCopied.has(name));
  const theirs = Object.entries(metadata.annotations ?? {}).filter(([name]) => !names.notCopied.has(name));
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: Object.fromEntries([...theirs, ...own]) },
    spec: { ...deployment.spec, template: { ...spec.template, metadata: { ...spec.template.metadata, labels } } },
  };
}

function warning(reason: string, message: string): EventDescription {
  return { type: 'Warning', reason, message };
}
