import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { parseQuantity } from '../../meta/quantity.ts';
import { isTrue, objectAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { requestedStorageClass } from '../requested-storage-class.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Refuses to enlarge a PersistentVolumeClaim unless it is bound and its storage class allows
 * expansion.
 */
export function persistentVolumeClaimResize(identifiers: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const classes = listerOf({
    group: `storage.${identifiers.apiDomain}`,
    resource: 'storageclasses',
    read: (object) => ({ volumesGrow: isTrue(object, 'allowVolumeExpansion') }),
  });
  const mayGrow = async (attributes: AdmissionAttributes, claim: JsonObject, old: JsonObject): Promise<boolean> => {
    const name = requestedStorageClass(claim, identifiers);
    if (!name || name !== requestedStorageClass(old, identifiers)) return false;
    const storageClass = await classes.get('', name, attributes.signal);
    return storageClass?.volumesGrow ?? false;
  };
  const checkGrowth = async (attributes: AdmissionAttributes, claim: JsonObject, old: JsonObject): Promise<void> => {
    if (stringAt(objectAt(old, 'status'), 'phase') !== 'Bound') {
      throw forbidden(attributes, 'only bound persistent volume claims can be expanded');
    }
    if (await mayGrow(attributes, claim, old)) return;
    throw forbidden(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  };
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    resources: ['persistentvolumeclaims'],
    validate(attributes) {
      const { object, oldObject } = attributes;
      if (!object || !oldObject || !isWriteTo(attributes, '', 'persistentvolumeclaims', 'UPDATE')) return undefined;
      const grows = requestedStorage(object) > requestedStorage(oldObject);
      return grows ? checkGrowth(attributes, object, oldObject) : undefined;
    },
  };
}

function requestedStorage(claim: JsonObject): bigint {
  const quantity = parseQuantity(stringAt(objectAt(claim, 'spec', 'resources', 'requests'), 'storage'));
  return 'error' in quantity ? 0n : quantity.nanos;
}
