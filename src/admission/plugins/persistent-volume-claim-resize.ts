import type { PersistentVolumeClaim } from '../../gen/stored/core-v1.ts';
import type { StorageClass } from '../../gen/stored/storage-v1.ts';
import { parseQuantity } from '../../meta/quantity.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { requestedStorageClass } from '../../kinds/core/persistent-volume-claim.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Refuses to enlarge a PersistentVolumeClaim unless it is bound and its storage class allows
 * expansion.
 */
export function persistentVolumeClaimResize({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const classes = listerOf({
    group: `storage.${identifiers.apiDomain}`,
    resource: 'storageclasses',
    read: ({ allowVolumeExpansion = false }: StorageClass) => ({ volumesGrow: allowVolumeExpansion }),
  });
  const mayGrow = async (
    attributes: AdmissionAttributes,
    claim: PersistentVolumeClaim,
    old: PersistentVolumeClaim,
  ): Promise<boolean> => {
    const name = requestedStorageClass(claim, identifiers);
    if (!name || name !== requestedStorageClass(old, identifiers)) return false;
    const storageClass = await classes.get('', name, attributes.signal);
    return storageClass?.volumesGrow ?? false;
  };
  const checkGrowth = async (
    attributes: AdmissionAttributes,
    claim: PersistentVolumeClaim,
    old: PersistentVolumeClaim,
  ): Promise<void> => {
    if (old.status.phase !== 'Bound') {
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
      if (!isWriteTo(attributes, '', 'persistentvolumeclaims', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      const grows = oldObject && requestedStorage(object) > requestedStorage(oldObject);
      return grows ? checkGrowth(attributes, object, oldObject) : undefined;
    },
  };
}

function requestedStorage({ spec }: PersistentVolumeClaim): bigint {
  const quantity = parseQuantity(spec.resources.requests?.['storage'] ?? '');
  return 'error' in quantity ? 0n : quantity.nanos;
}
