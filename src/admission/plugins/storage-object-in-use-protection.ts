import { finalizersOf, setMeta } from '../../meta/object-meta.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Adds finalizers that keep volumes and claims in use from being deleted (spec 4.10). */
export function storageObjectInUseProtection({ identifiers: { labelDomain } }: PluginContext): AdmissionPlugin {
  const finalizers = [
    ['persistentvolumeclaims', `${labelDomain}/pvc-protection`],
    ['persistentvolumes', `${labelDomain}/pv-protection`],
  ] as const;
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    resources: ['persistentvolumeclaims', 'persistentvolumes'],
    mutate(attributes) {
      for (const [resource, finalizer] of finalizers) {
        if (!isWriteTo(attributes, '', resource, 'CREATE')) continue;
        const present = finalizersOf(attributes.object);
        if (!present.includes(finalizer)) setMeta(attributes.object, 'finalizers', [...present, finalizer]);
      }
    },
  };
}
