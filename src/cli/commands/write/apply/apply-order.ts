import type { Manifest } from '../../../manifests/read-manifests.ts';

/**
 * Kinds that others need, in the order in which they are applied; kinds without a row come after
 * them.
 */
const early: readonly ReadonlySet<string>[] = [
  new Set(['Namespace']),
  new Set(['CustomResourceDefinition']),
  new Set([
    'ServiceAccount',
    'PriorityClass',
    'RuntimeClass',
    'StorageClass',
    'IngressClass',
    'ResourceQuota',
    'LimitRange',
    'ClusterRole',
    'Role',
    'ConfigMap',
    'Secret',
    'PersistentVolume',
  ]),
  new Set(['ClusterRoleBinding', 'RoleBinding']),
];

/** Kinds that concern requests for others, once their servers are there. */
const late: ReadonlySet<string> = new Set([
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

/** Divides manifests into steps. The manifests of a step depend only on earlier steps. */
export function applySteps(manifests: readonly Manifest[]): (readonly Manifest[])[] {
  const steps: Manifest[][] = Array.from({ length: early.length + 2 }, () => []);
  for (const manifest of manifests) steps[stepOf(manifest)]?.push(manifest);
  return steps.filter((step) => step.length > 0);
}

function stepOf({ object: { kind } }: Manifest): number {
  if (late.has(kind)) return early.length + 1;
  const step = early.findIndex((kinds) => kinds.has(kind));
  return step < 0 ? early.length : step;
}
