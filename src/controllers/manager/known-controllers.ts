import { clusterRoleAggregation } from '../clusterrole-aggregation/definition.ts';
import { bootstrapControllers } from '../bootstrap/definitions.ts';
import { certificateControllers } from '../certificates/definitions.ts';
import type { ControllerDefinition } from '../controller-definition.ts';
import { disruptionController } from '../disruption/definition.ts';
import { garbageCollector } from '../garbage-collector/definition.ts';
import { nodeLifecycleController } from '../nodelifecycle/definition.ts';
import { namespaceController } from '../namespace/definition.ts';
import { podCollector } from '../podgc/definition.ts';
import { volumeProtection } from '../pv-protection/definition.ts';
import { claimProtection } from '../pvc-protection/definition.ts';
import { resourceQuotaController } from '../resourcequota/definition.ts';
import { rootCaPublisher } from '../root-ca/definition.ts';
import { serviceControllers } from './service-controllers.ts';
import { serviceAccountController } from '../serviceaccount/definition.ts';
import { tokenController } from '../serviceaccount-token/definition.ts';
import { taintEviction } from '../tainteviction/definition.ts';
import { ttlController } from '../ttl/definition.ts';
import { ttlAfterFinished } from '../ttl-after-finished/definition.ts';
import { workloadControllers } from './workload-controllers.ts';

/** All controllers, by name. */
export const knownControllers: readonly ControllerDefinition[] = [
  clusterRoleAggregation,
  disruptionController,
  garbageCollector,
  namespaceController,
  nodeLifecycleController,
  podCollector,
  volumeProtection,
  claimProtection,
  resourceQuotaController,
  rootCaPublisher,
  serviceAccountController,
  tokenController,
  taintEviction,
  ttlAfterFinished,
  ttlController,
  ...serviceControllers,
  ...workloadControllers,
  ...certificateControllers,
  ...bootstrapControllers,
];
