import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { roundUpToUnits, type Quantity } from '../../../meta/quantity.ts';
import { amountsIn, countOf } from '../../../kinds/core/amounts.ts';
import { requestedStorageClass } from '../../../kinds/core/persistent-volume-claim.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const objectCount = 'count/persistentvolumeclaims';
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';

/** Claims: their number and the storage that they request, in total and of each class. */
export function claimEvaluator(identifiers: Identifiers): QuotaEvaluator<PersistentVolumeClaim> {
  const infix = `.storageclass.storage.${identifiers.apiDomain}/`;
  return {
    operations: ['CREATE', 'UPDATE'],
    uses: (resource) =>
      resource === objectCount ||
      [claims, storage].some((name) => resource === name || resource.endsWith(infix + name)),
    usageOf: (claim) => {
      const usage = new Map<string, Quantity>([[objectCount, countOf(1)]]);
      const storageClass = requestedStorageClass(claim, identifiers) ?? '';
      const use = (name: string, amount: Quantity): void => {
        usage.set(name, amount);
        if (storageClass !== '') usage.set(storageClass + infix + name, amount);
      };
      use(claims, countOf(1));
      const requested = amountsIn(claim.spec.resources.requests).get('storage');
      if (requested) use(storage, roundUpToUnits(requested));
      return usage;
    },
  };
}
