import type { PodSpec, PodTemplateSpec } from '../../gen/types/core-v1.ts';
import type { Pod } from '../resources.ts';
import { type ControllingObject, controllerReference } from './controller-reference.ts';

/** A pod that is to be created. */
export type NewPod = Omit<Pod, 'metadata'> & { metadata: Partial<Pod['metadata']> };

/** Makes a pod of a template, with a generated name unless the caller sets one. */
export function podFromTemplate(template: PodTemplateSpec, owner: ControllingObject): NewPod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      labels: { ...labels },
      annotations: { ...annotations },
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    // A stored template has a spec.
    spec: { ...(template.spec as PodSpec) },
  };
}
