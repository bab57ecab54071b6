import type { Pod } from '../../../gen/stored/core-v1.ts';
import { referencesOfPod } from '../../../kinds/core/pod-references.ts';

/**
 * The reason why a Pod may not represent one from a node's own files; '' if it may. The node runs
 * such a Pod without asking, so it must not lead to secrets.
 */
export function mirrorFault(pod: Pod): string {
  const { serviceAccounts, secrets } = referencesOfPod(pod);
  if (serviceAccounts.length > 0) return 'a mirror pod may not reference service accounts';
  if (secrets.length > 0) return 'a mirror pod may not reference secrets';
  const projected = (pod.spec.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
  return projected.some(({ serviceAccountToken }) => serviceAccountToken)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : '';
}
