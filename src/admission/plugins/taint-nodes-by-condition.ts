import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Taints new nodes as not ready, so that no Pod is scheduled to them before they are (spec 4.10).
 */
export function taintNodesByCondition({ identifiers: { labelDomain } }: PluginContext): AdmissionPlugin {
  const key = `node.${labelDomain}/not-ready`;
  const effect = 'NoSchedule';
  return {
    name: 'TaintNodesByCondition',
    operations: ['CREATE'],
    resources: ['nodes'],
    mutate(attributes) {
      if (!isWriteTo(attributes, '', 'nodes', 'CREATE')) return;
      const taints = (attributes.object.spec.taints ??= []);
      if (!taints.some((taint) => taint.key === key && taint.effect === effect)) taints.push({ key, effect });
    },
  };
}
