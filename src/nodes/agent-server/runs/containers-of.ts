import type { Pod } from '../../../controllers/resources.ts';
import type { Container } from '../../../gen/types/core-v1.ts';

/** All containers of a pod, also those that run before the others or were added later. */
export function containersOf({ spec }: Pod): readonly Pick<Container, 'name' | 'image' | 'env'>[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}
