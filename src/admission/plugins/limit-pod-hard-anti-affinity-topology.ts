import type { Identifiers } from '../../identifiers/identifiers.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Refuses Pods with required anti-affinity to more than a node, because such a Pod can keep others
 * from a whole zone.
 */
export function limitPodHardAntiAffinityTopology({ labelDomain }: Identifiers): AdmissionPlugin {
  const allowed = `${labelDomain}/hostname`;
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const antiAffinity = objectAt(object, 'spec', 'affinity', 'podAntiAffinity');
      for (const term of objectsAt(antiAffinity, 'requiredDuringSchedulingIgnoredDuringExecution')) {
        const key = stringAt(term, 'topologyKey');
        if (key === allowed) continue;
        throw forbidden(
          attributes,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${allowed} is allowed`,
        );
      }
    },
  };
}
