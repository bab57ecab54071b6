import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Refuses Pods with required anti-affinity to more than a node, because such a Pod can keep others
 * from a whole zone.
 */
export function limitPodHardAntiAffinityTopology({ identifiers: { labelDomain } }: PluginContext): AdmissionPlugin {
  const allowed = `${labelDomain}/hostname`;
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const { podAntiAffinity } = attributes.object.spec.affinity ?? {};
      for (const { topologyKey: key } of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        if (key === allowed) continue;
        throw forbidden(
          attributes,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${allowed} is allowed`,
        );
      }
    },
  };
}
