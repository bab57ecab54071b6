import type { Identifiers } from '../../identifiers/identifiers.ts';
import { makeObjectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Taints new nodes as not ready, so that no Pod is scheduled to them before they are (spec 4.10).
 */
export function taintNodesByCondition({ labelDomain }: Identifiers): AdmissionPlugin {
  const key = `node.${labelDomain}/not-ready`;
  const effect = 'NoSchedule';
  return {
    name: 'TaintNodesByCondition',
    operations: ['CREATE'],
    resources: ['nodes'],
    mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'nodes', 'CREATE')) return;
      const spec = makeObjectAt(object, 'spec');
      const taints = objectsAt(spec, 'taints');
      if (taints.some((taint) => stringAt(taint, 'key') === key && stringAt(taint, 'effect') === effect)) return;
      spec['taints'] = [...taints, { key, effect }];
    },
  };
}
