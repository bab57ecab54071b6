import type { Pod } from '../../gen/stored/core-v1.ts';
import { referencesOfPod } from '../../kinds/core/pod-references.ts';
import type { Reference } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/**
 * The objects that a pod refers to, held by its node; none without a node. A mirror pod is created
 * by its node, so it refers to nothing: a node cannot grant itself access.
 */
export function podReferences(pod: Pod, mirrorAnnotation: string): readonly Reference[] {
  const { nodeName } = pod.spec;
  const { annotations = {}, namespace = '' } = pod.metadata;
  if (!nodeName || Object.hasOwn(annotations, mirrorAnnotation)) return [];
  const holder = vertex('node', '', nodeName);
  const { serviceAccounts, secrets, configMaps, claims } = referencesOfPod(pod);
  return [
    ...serviceAccounts.map((name) => vertex('account', namespace, name)),
    ...secrets.map((name) => vertex('secret', namespace, name)),
    ...configMaps.map((name) => vertex('configmap', namespace, name)),
    ...claims.map((name) => vertex('claim', namespace, name)),
  ].map((target) => ({ target, holder }));
}
