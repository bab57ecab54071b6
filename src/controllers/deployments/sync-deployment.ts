import type { EventDescription } from '../../client/events/event-recorder.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { formatTime } from '../../meta/time.ts';
import type { Deployment, Pod, ReplicaSet } from '../resources.ts';
import type { DeploymentStatus } from '../../gen/types/apps-v1.ts';
import { withCondition } from '../../kinds/meta/condition-of.ts';
import { isEmptySelector } from '../workloads/owned-objects.ts';
import type { RolloutNames } from './deployment-annotations.ts';
import { sameTemplate } from './find-new-set.ts';
import { type DeploymentPlan, planDeployment } from './plan-deployment.ts';
import { planRollBack } from './roll-back.ts';
import type { RolloutSet } from './rollout.ts';
import { hasDeadline, progressReasons } from './deployment-status.ts';

/** The calls by which a Deployment is read and changed. */
export interface DeploymentCalls {
  readonly claim: () => Promise<readonly ReplicaSet[]>;
  readonly podsOf: (uid: string) => readonly Pod[];
  readonly readSet: (name: string) => Promise<ReplicaSet>;
  readonly createSet: (set: RolloutSet) => Promise<void>;
  readonly updateSet: (set: ReplicaSet) => Promise<void>;
  readonly deleteSet: (set: ReplicaSet) => Promise<void>;
  readonly updateDeployment: (deployment: Deployment) => Promise<void>;
  readonly writeStatus: (status: DeploymentStatus, annotations: Readonly<Record<string, string>>) => Promise<void>;
  readonly record: (event: EventDescription) => void;
}

/** Makes the next step of a Deployment. */
export async function syncDeployment(
  deployment: Deployment,
  names: RolloutNames,
  calls: DeploymentCalls,
): Promise<{ requeueAfterMs?: number }> {
  const { annotations = {}, generation } = deployment.metadata;
  if (isEmptySelector(deployment.spec.selector)) {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    calls.record({ type: 'Warning', reason: 'SelectingAll', message });
    await calls.writeStatus({ ...deployment.status, observedGeneration: generation }, annotations);
    return {};
  }
  const replicaSets = await calls.claim();
  const rollBack = deployment.metadata.deletionTimestamp ? undefined : planRollBack(deployment, replicaSets, names);
  if (rollBack) {
    calls.record(rollBack.event);
    await calls.updateDeployment(rollBack.deployment);
    return {};
  }
  const plan = planDeployment({ deployment, replicaSets, podsOf: calls.podsOf, names, nowMs: Date.now() });
  if (plan.creation) await create(plan.creation, deployment, names, calls);
  for (const set of plan.updates) await calls.updateSet(set);
  for (const set of plan.deletions) await calls.deleteSet(set);
  for (const event of plan.events) calls.record(event);
  await calls.writeStatus(plan.status, plan.annotations);
  return { requeueAfterMs: plan.requeueAfterMs };
}

async function create(
  set: NonNullable<DeploymentPlan['creation']>,
  deployment: Deployment,
  names: RolloutNames,
  calls: DeploymentCalls,
): Promise<void> {
  try {
    await calls.createSet(set);
  } catch (error) {
    const { annotations = {} } = deployment.metadata;
    if (hasReason(error, 'AlreadyExists')) {
      const present = await calls.readSet(set.metadata.name);
      const isOwn = present.metadata.ownerReferences?.some(
        ({ controller, uid }) => controller && uid === deployment.metadata.uid,
      );
      if (!isOwn || !sameTemplate(present.spec.template, deployment.spec.template, names.hashLabel)) {
        const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
        await calls.writeStatus({ ...deployment.status, collisionCount }, annotations);
      }
    } else if (hasDeadline(deployment)) {
      await reportFailure(set, error, deployment, calls);
    }
    throw error;
  }
}

async function reportFailure(
  set: RolloutSet,
  error: unknown,
  { metadata, status }: Deployment,
  { record, writeStatus }: DeploymentCalls,
): Promise<void> {
  const reason = progressReasons.createFailed;
  const text = error instanceof Error ? error.message : String(error);
  const message = `Failed to create new replica set "${set.metadata.name}": ${text}`;
  record({ type: 'Warning', reason, message });
  const time = formatTime(Date.now());
  const condition = {
    type: 'Progressing',
    status: 'False',
    reason,
    message,
    lastUpdateTime: time,
    lastTransitionTime: time,
  };
  await writeStatus(
    { ...status, conditions: withCondition(status?.conditions, condition) },
    metadata.annotations ?? {},
  );
}
