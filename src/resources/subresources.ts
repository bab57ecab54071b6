import { type BuiltInSubresource, createOnly, readWrite } from './built-in.ts';
import type { TableDefinition } from '../codec/table-definition.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { objectAt } from '../meta/read-field.ts';
import type { Conversion } from '../registry/definition/resource-definition.ts';
import { ageColumn, integerColumn, nameColumn } from './columns/column.ts';

/**
 * The conversion of a Scale in `extensions/v1beta1`, `apps/v1beta1` and `apps/v1beta2`: the
 * selector is a text in `targetSelector`, and also a map if it has only equalities.
 */
const oldScale: Conversion = {
  toStorage: (scale) => scale,
  fromStorage: (scale) => {
    const { selector, ...status } = objectAt(scale, 'status');
    if (typeof selector !== 'string') return scale;
    const labels = equalities(selector);
    return { ...scale, status: { ...status, ...(labels ? { selector: labels } : {}), targetSelector: selector } };
  },
};

/** The labels that a selector in string syntax requires; undefined if it requires anything else. */
function equalities(selector: string): JsonObject | undefined {
  const pairs = selector.split(',').map((text) => /^([^=!<>() ]+)=([^=!<>() ]*)$/.exec(text));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

/** The observed state, which controllers write. */
export const statusSubresource: BuiltInSubresource = { name: 'status', verbs: readWrite };

/** The approval of a certificate signing request. */
export const approval: BuiltInSubresource = { name: 'approval', verbs: readWrite };

/** The finalizers of a namespace. */
export const finalize: BuiltInSubresource = { name: 'finalize', verbs: ['update'] };

const scaleTable: TableDefinition = {
  columns: [
    nameColumn,
    integerColumn('Desired', 'Number of pods that should run.', (scale) => replicasIn(scale, 'spec')),
    integerColumn('Available', 'Number of pods that were seen.', (scale) => replicasIn(scale, 'status')),
    ageColumn,
  ],
};

function replicasIn(scale: JsonObject, part: 'spec' | 'status'): number {
  const { replicas } = objectAt(scale, part);
  return typeof replicas === 'number' ? replicas : 0;
}

/** The replicas of a workload, in the same shape for every kind. */
export const scaleSubresource: BuiltInSubresource = {
  name: 'scale',
  verbs: readWrite,
  kind: { group: 'autoscaling', kind: 'Scale', versions: { v1: {} }, table: scaleTable },
};

/**
 * The sub-resource `scale` in versions that release 1.16 removed, which have a kind of their own.
 */
export function scaleIn(group: string, version: string): BuiltInSubresource {
  const versions = { [version]: { conversion: oldScale } };
  return { name: 'scale', verbs: readWrite, versions: [version], kind: { group, kind: 'Scale', versions } };
}

/** The request for a rollback of a Deployment, in versions that release 1.16 removed. */
export function rollbackIn(group: string, version: string): BuiltInSubresource {
  const kind = { group, kind: 'DeploymentRollback', versions: { [version]: {} } };
  return { name: 'rollback', verbs: createOnly, versions: [version], kind };
}

/** The deletion of a pod if its disruption budget allows it. */
export const eviction: BuiltInSubresource = {
  name: 'eviction',
  verbs: createOnly,
  kind: { group: 'policy', kind: 'Eviction', versions: { v1: { introduced: '1.22' }, v1beta1: {} } },
};

/** The assignment of a pod to a node. */
export const binding: BuiltInSubresource = {
  name: 'binding',
  verbs: createOnly,
  kind: { group: '', kind: 'Binding', versions: { v1: {} } },
};

/** The token of a service account. */
export const token: BuiltInSubresource = {
  name: 'token',
  verbs: createOnly,
  kind: { group: 'authentication', kind: 'TokenRequest', versions: { v1: {} } },
};

/** The containers that are added to a running pod. */
export const ephemeralContainers: BuiltInSubresource = {
  name: 'ephemeralcontainers',
  verbs: readWrite,
  gate: 'EphemeralContainers',
};

/** The sub-resource of a running pod's resources, which its node changes in place. */
export const resizeSubresource: BuiltInSubresource = {
  name: 'resize',
  verbs: readWrite,
  introduced: '1.32',
  gate: 'InPlacePodVerticalScaling',
};
