import type { BuiltInSubresource } from './built-in.ts';
import { createOnly, readWrite } from './verbs.ts';

/** Written by whoever makes the spec come true. */
export const status: BuiltInSubresource = { name: 'status', verbs: readWrite };

/** The decision on a certificate signing request. */
export const approval: BuiltInSubresource = { name: 'approval', verbs: readWrite };

/** The finalizers of a namespace. */
export const finalize: BuiltInSubresource = { name: 'finalize', verbs: ['update'] };

/** The replicas of a workload, whatever its kind. */
export const scale: BuiltInSubresource = {
  name: 'scale',
  verbs: readWrite,
  kind: { group: 'autoscaling', kind: 'Scale', versions: ['v1'] },
};

/** A delete of a pod that its disruption budgets may refuse. */
export const eviction: BuiltInSubresource = {
  name: 'eviction',
  verbs: createOnly,
  kind: { group: 'policy', kind: 'Eviction', versions: ['v1', 'v1beta1'] },
};

/** The node on which a pod is to run. */
export const binding: BuiltInSubresource = {
  name: 'binding',
  verbs: createOnly,
  kind: { group: '', kind: 'Binding', versions: ['v1'] },
};

/** The containers that are added to a running pod. */
export const ephemeralContainers: BuiltInSubresource = { name: 'ephemeralcontainers', verbs: readWrite };
