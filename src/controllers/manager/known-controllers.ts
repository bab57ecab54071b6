import { clusterRoleAggregation } from '../clusterrole-aggregation/definition.ts';
import type { ControllerDefinition } from '../controller-definition.ts';
import { deviceTaintEviction } from '../devicetainteviction/definition.ts';
import { disruptionController } from '../disruption/definition.ts';
import { garbageCollector } from '../garbage-collector/definition.ts';
import { nodeLifecycleController } from '../nodelifecycle/definition.ts';
import { namespaceController } from '../namespace/definition.ts';
import { podCollector } from '../podgc/definition.ts';
import { volumeProtection } from '../pv-protection/definition.ts';
import { claimProtection } from '../pvc-protection/definition.ts';
import { resourceQuotaController } from '../resourcequota/definition.ts';
import { resourceClaimController } from '../resourceclaims/definition.ts';
import { rootCaPublisher } from '../root-ca/definition.ts';
import { serviceAccountController } from '../serviceaccount/definition.ts';
import { tokenController } from '../serviceaccount-token/definition.ts';
import { taintEviction } from '../tainteviction/definition.ts';
import { ttlController } from '../ttl/definition.ts';
import { validatingAdmissionPolicyStatus } from '../validatingadmissionpolicy-status/definition.ts';
import { ttlAfterFinished } from '../ttl-after-finished/definition.ts';
import { endpointsController } from '../endpoints/definition.ts';
import { endpointSliceMirroring } from '../endpointslicemirroring/definition.ts';
import { endpointSliceController } from '../endpointslices/definition.ts';
import { cronJobController } from '../cronjobs/definition.ts';
import { daemonSetController } from '../daemonsets/definition.ts';
import { deploymentController } from '../deployments/definition.ts';
import { autoscalingController } from '../horizontalpodautoscaling/definition.ts';
import { jobController } from '../jobs/definition.ts';
import { replicaSetController } from '../replicasets/definition.ts';
import { replicationController } from '../replicationcontrollers/definition.ts';
import { statefulSetController } from '../statefulsets/definition.ts';
import { storageVersionCollector } from '../storageversiongc/definition.ts';
import { storageVersionMigrator } from '../storageversionmigrations/definition.ts';
import { bootstrapSigner } from '../bootstrap/bootstrap-signer.ts';
import { tokenCleaner } from '../bootstrap/token-cleaner.ts';
import { approvingController } from '../certificates/approving-controller.ts';
import { podRequestCleaner } from '../certificates/pod-request-cleaner.ts';
import { ephemeralVolumes } from '../ephemeral-volumes/definition.ts';
import { podGroupProtection } from '../podgroup-protection/definition.ts';
import { trustBundlePublisher } from '../trust-bundle/definition.ts';
import { attributesClassProtection } from '../vac-protection/definition.ts';
import { serviceCidrController } from '../servicecidrs/definition.ts';
import { cleaningController } from '../certificates/cleaning-controller.ts';
import { signingController } from '../certificates/signing-controller.ts';

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
  attributesClassProtection,
  ephemeralVolumes,
  podGroupProtection,
  resourceClaimController,
  deviceTaintEviction,
  storageVersionMigrator,
  storageVersionCollector,
  resourceQuotaController,
  rootCaPublisher,
  trustBundlePublisher,
  serviceAccountController,
  tokenController,
  taintEviction,
  ttlAfterFinished,
  ttlController,
  validatingAdmissionPolicyStatus,
  // The pods behind Services.
  endpointsController,
  endpointSliceController,
  endpointSliceMirroring,
  serviceCidrController,
  // Pods, and the objects that make pods.
  replicaSetController,
  replicationController,
  deploymentController,
  jobController,
  statefulSetController,
  daemonSetController,
  cronJobController,
  autoscalingController,
  // CertificateSigningRequests.
  approvingController,
  signingController,
  cleaningController,
  podRequestCleaner,
  bootstrapSigner,
  tokenCleaner,
];
