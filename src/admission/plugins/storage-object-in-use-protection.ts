import { isSince } from '../../scheme/api-release.ts';
import { finalizersOf, setMeta } from '../../meta/object-meta.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Adds the finalizers that protect PersistentVolumes, PersistentVolumeClaims and
 * VolumeAttributesClasses from deletion while they are in use (spec 4.10).
 */
export function storageObjectInUseProtection({ identifiers, emulated }: PluginContext): AdmissionPlugin {
  const { labelDomain, apiDomain } = identifiers;
  const finalizers = [
    ['', 'persistentvolumeclaims', `${labelDomain}/pvc-protection`],
    ['', 'persistentvolumes', `${labelDomain}/pv-protection`],
    [`storage.${apiDomain}`, 'volumeattributesclasses', `${labelDomain}/vac-protection`],
  ] as const;
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    resources: finalizers.map(([, resource]) => resource),
    mutate(attributes) {
      const row = finalizers.find(([group, resource]) => isWriteTo(attributes, group, resource, 'CREATE'));
      if (!row || !attributes.object) return;
      const [, resource, finalizer] = row;
      // Older releases have the class, but neither its finalizer nor the controller that removes
      // it.
      if (resource === 'volumeattributesclasses' && !protectsClasses(emulated)) return;
      const present = finalizersOf(attributes.object);
      if (!present.includes(finalizer)) setMeta(attributes.object, 'finalizers', [...present, finalizer]);
    },
  };
}

function protectsClasses({ release, isFeatureEnabled }: PluginContext['emulated']): boolean {
  return isSince(release, '1.32') && isFeatureEnabled('VolumeAttributesClass');
}
