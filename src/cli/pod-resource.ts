import type { ResourceReference } from '../client/resource-path.ts';
import type * as corev1 from '../gen/types/core-v1.ts';

/** The resource of pods, which every server has. */
export const pods: ResourceReference<corev1.Pod> = { group: '', version: 'v1', resource: 'pods' };
