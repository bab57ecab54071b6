import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { makeObjectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Seconds for which Pods without tolerations stay on a node that is not ready or unreachable. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

const effect = 'NoExecute';

/**
 * Adds tolerations for nodes that are not ready or unreachable to Pods that have none for them
 * (spec 4.10).
 */
export function defaultTolerationSeconds(
  { labelDomain }: Identifiers,
  { notReady, unreachable }: TolerationSeconds,
): AdmissionPlugin {
  const taints = [
    { key: `node.${labelDomain}/not-ready`, tolerationSeconds: notReady },
    { key: `node.${labelDomain}/unreachable`, tolerationSeconds: unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const spec = makeObjectAt(object, 'spec');
      const tolerations = objectsAt(spec, 'tolerations');
      const added = taints
        .filter(({ key }) => !tolerations.some((toleration) => answersFor(toleration, key)))
        .map(({ key, tolerationSeconds }) => ({ key, operator: 'Exists', effect, tolerationSeconds }));
      if (added.length > 0) spec['tolerations'] = [...tolerations, ...added];
    },
  };
}

/** Reports whether a toleration covers the taint; without key or effect it covers all. */
function answersFor(toleration: JsonObject, key: string): boolean {
  return ['', key].includes(stringAt(toleration, 'key')) && ['', effect].includes(stringAt(toleration, 'effect'));
}
