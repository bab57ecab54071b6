import type { Identifiers } from '../../identifiers/identifiers.ts';
import { finalizersOf, setMeta } from '../../meta/object-meta.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Adds finalizers that keep volumes and claims in use from being deleted (spec 4.10). */
export function storageObjectInUseProtection({ labelDomain }: Identifiers): AdmissionPlugin {
  const finalizers: ReadonlyMap<string, string> = new Map([
    ['persistentvolumeclaims', `${labelDomain}/pvc-protection`],
    ['persistentvolumes', `${labelDomain}/pv-protection`],
  ]);
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    resources: ['persistentvolumeclaims', 'persistentvolumes'],
    mutate(attributes) {
      const { object, resource } = attributes;
      const finalizer = finalizers.get(resource.resource);
      if (!object || finalizer === undefined || !isWriteTo(attributes, '', resource.resource, 'CREATE')) return;
      const present = finalizersOf(object);
      if (!present.includes(finalizer)) setMeta(object, 'finalizers', [...present, finalizer]);
    },
  };
}
