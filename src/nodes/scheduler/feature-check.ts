import { mayRestartAll } from '../../kinds/core/pod.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeCheck } from './node-check.ts';

/** The features that pods may need of their nodes, and the pods that need them. */
const features: Readonly<Record<string, (spec: Pod['spec']) => boolean>> = Object.freeze({
  RestartAllContainersOnContainerExits: ({ containers, initContainers = [] }) =>
    [...containers, ...initContainers].some(mayRestartAll),
  UserNamespacesHostNetworkSupport: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
});

const obstacle = Object.freeze({
  reasons: ["node(s) didn't match Pod's required features"],
  removable: false,
});

/**
 * Checks that nodes declare the features that a pod needs. Servers on which no node declares any do
 * not know the field.
 */
export function featureCheck({ spec }: Pod, { nodes }: ClusterState): NodeCheck {
  const needed = Object.keys(features).filter((name) => features[name]?.(spec));
  const isKnown = needed.length > 0 && nodes.some(({ status }) => (status?.declaredFeatures ?? []).length > 0);
  if (!isKnown) return () => undefined;
  return ({ status }) => {
    const declared = status?.declaredFeatures ?? [];
    return needed.every((name) => declared.includes(name)) ? undefined : obstacle;
  };
}
