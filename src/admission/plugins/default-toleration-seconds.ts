import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Toleration } from '../../gen/stored/core-v1.ts';
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
      if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const { spec } = attributes.object;
      const { tolerations = [] } = spec;
      const added = taints
        .filter(({ key }) => !tolerations.some((toleration) => answersFor(toleration, key)))
        .map(({ key, tolerationSeconds }) => ({ key, operator: 'Exists', effect, tolerationSeconds }));
      if (added.length > 0) spec.tolerations = [...tolerations, ...added];
    },
  };
}

/** Reports whether a toleration covers the taint; without key or effect it covers all. */
function answersFor(toleration: Toleration, key: string): boolean {
  return [key, ''].includes(toleration.key ?? '') && [effect, ''].includes(toleration.effect ?? '');
}
