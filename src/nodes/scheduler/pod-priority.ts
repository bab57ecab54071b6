import type { Pod } from '../../controllers/resources.ts';

/** The priority of a pod; admission sets it from the class. */
export function priorityOf({ spec }: Pod): number {
  return spec.priority ?? 0;
}
