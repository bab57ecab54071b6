import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { StoredMetadata } from './workload.ts';

/** A recorded template of a StatefulSet or a DaemonSet, as a patch that `rollout undo` applies. */
export interface ControllerRevision extends ApiObject {
  metadata: StoredMetadata;
  data?: { spec?: { template?: PodTemplate & { $patch?: string } } };
  revision: number;
}

/** The resource of ControllerRevisions. */
export const controllerRevisions: ResourceReference<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  resource: 'controllerrevisions',
};
