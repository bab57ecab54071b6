import type { JsonObject } from '../../../meta/json-value.ts';
import { referencesOfPod } from '../../../meta/pod-references.ts';
import { isSet, objectAt, objectsAt } from '../../../meta/read-field.ts';

/**
 * The reason why a Pod may not represent one from a node's own files; '' if it may. The node runs
 * such a Pod without asking, so it must not lead to secrets.
 */
export function mirrorFault(pod: JsonObject): string {
  const { serviceAccounts, secrets } = referencesOfPod(pod);
  if (serviceAccounts.length > 0) return 'a mirror pod may not reference service accounts';
  if (secrets.length > 0) return 'a mirror pod may not reference secrets';
  const projected = objectsAt(objectAt(pod, 'spec'), 'volumes').flatMap((volume) =>
    objectsAt(objectAt(volume, 'projected'), 'sources'),
  );
  return projected.some((source) => isSet(source, 'serviceAccountToken'))
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : '';
}
