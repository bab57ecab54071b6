import type { ControllerDefinition } from '../controller-definition.ts';
import { cronJobController } from '../cronjobs/definition.ts';
import { daemonSetController } from '../daemonsets/definition.ts';
import { deploymentController } from '../deployments/definition.ts';
import { autoscalingController } from '../horizontalpodautoscaling/definition.ts';
import { jobController } from '../jobs/definition.ts';
import { replicaSetController } from '../replicasets/definition.ts';
import { replicationController } from '../replicationcontrollers/definition.ts';
import { statefulSetController } from '../statefulsets/definition.ts';

/** The controllers of pods and of what makes pods. */
export const workloadControllers: readonly ControllerDefinition[] = [
  replicaSetController,
  replicationController,
  deploymentController,
  jobController,
  statefulSetController,
  daemonSetController,
  cronJobController,
  autoscalingController,
];
