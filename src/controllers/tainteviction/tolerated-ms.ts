import type { Taint, Toleration } from '../../gen/types/core-v1.ts';
import { tolerates } from '../../kinds/core/tolerates.ts';

/**
 * The time that a pod tolerates taints: the shortest of the tolerations that match one of them, 0
 * if one is not tolerated, and Infinity if no toleration has a limit.
 */
export function toleratedMs(tolerations: readonly Toleration[] = [], taints: readonly Taint[]): number {
  const matching = taints.map((taint) => tolerations.filter((toleration) => tolerates([toleration], taint)));
  if (matching.some((found) => found.length === 0)) return 0;
  const seconds = matching.flat().map(({ tolerationSeconds = Infinity }) => Math.max(0, tolerationSeconds));
  return 1000 * Math.min(...seconds);
}
