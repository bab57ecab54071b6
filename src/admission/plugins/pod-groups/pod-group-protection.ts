import { finalizersOf, setMeta } from '../../../meta/object-meta.ts';
import type { AdmissionPlugin, PluginContext } from '../../admission.ts';
import { isWriteTo } from '../../is-write-to.ts';

/** Adds a finalizer to PodGroups, which keeps them until their pods have ended. */
export function podGroupProtection({ identifiers: { apiDomain } }: PluginContext): AdmissionPlugin {
  const group = `scheduling.${apiDomain}`;
  const finalizer = `${group}/podgroup-protection`;
  return {
    name: 'PodGroupProtection',
    operations: ['CREATE'],
    resources: ['podgroups'],
    mutate(attributes) {
      if (!isWriteTo(attributes, group, 'podgroups', 'CREATE')) return;
      const present = finalizersOf(attributes.object);
      if (!present.includes(finalizer)) setMeta(attributes.object, 'finalizers', [...present, finalizer]);
    },
  };
}
