import type { JsonObject } from '../../meta/json-value.ts';
import { annotationsOf, namespaceOf } from '../../meta/object-meta.ts';
import { referencesOfPod } from '../../meta/pod-references.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { Reference } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/**
 * The objects that a pod refers to, held by its node; none without a node. A mirror pod is created
 * by its node, so it refers to nothing: a node cannot grant itself access.
 */
export function podReferences(pod: JsonObject, mirrorAnnotation: string): readonly Reference[] {
  const nodeName = stringAt(objectAt(pod, 'spec'), 'nodeName');
  if (nodeName === '' || Object.hasOwn(annotationsOf(pod), mirrorAnnotation)) return [];
  const namespace = namespaceOf(pod);
  const holder = vertex('node', '', nodeName);
  const { serviceAccounts, secrets, configMaps, claims } = referencesOfPod(pod);
  return [
    ...serviceAccounts.map((name) => vertex('account', namespace, name)),
    ...secrets.map((name) => vertex('secret', namespace, name)),
    ...configMaps.map((name) => vertex('configmap', namespace, name)),
    ...claims.map((name) => vertex('claim', namespace, name)),
  ].map((target) => ({ target, holder }));
}
