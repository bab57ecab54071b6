import type { Column } from '../../codec/table-definition.ts';
import type { PodTemplateSpec, ReplicationController } from '../../gen/stored/core-v1.ts';
import type { LabelSelector } from '../../gen/stored/meta-v1.ts';
import { wideColumn, formatLabelSelector, ageColumn, integerColumn, nameColumn } from './column.ts';
import type { ReplicaSet } from '../../gen/stored/apps-v1.ts';

/** The columns that replica sets and replication controllers share. */
export const replicas: readonly Column<ReplicaSet | ReplicationController>[] = [
  nameColumn,
  integerColumn('Desired', 'Number of replicas that should exist.', ({ spec }) => spec.replicas),
  integerColumn('Current', 'Number of replicas that exist.', ({ status }) => status.replicas),
  integerColumn('Ready', 'Number of replicas that are ready.', ({ status }) => status.readyReplicas ?? 0),
  ageColumn,
];

/** The part of an object that has a pod template. */
type TemplateOwner = { readonly template?: PodTemplateSpec };
type SelectingOwner = TemplateOwner & { readonly selector?: LabelSelector };

/** A field of the containers in the pod template of an owner, joined by commas. */
export function templateContainers({ template }: TemplateOwner, field: 'name' | 'image'): string {
  return (template?.spec.containers ?? []).map((container) => container[field] ?? '').join(',');
}

/** The columns with the containers and images of a workload, which has a template in `ownerOf`. */
function containersOf<T>(ownerOf: (object: T) => TemplateOwner): readonly Column<T>[] {
  return [
    wideColumn('Containers', 'Names of the containers in the template.', (object) =>
      templateContainers(ownerOf(object), 'name'),
    ),
    wideColumn('Images', 'Images of the containers in the template.', (object) =>
      templateContainers(ownerOf(object), 'image'),
    ),
  ];
}

/** The columns with the containers and images of a workload. */
export const workload: readonly Column<{ readonly spec: TemplateOwner }>[] = containersOf(({ spec }) => spec);

/** The workload columns with the label selector, of the part of an object that has both. */
export function workloadWithSelectorIn<T>(ownerOf: (object: T) => SelectingOwner): readonly Column<T>[] {
  const selector = wideColumn('Selector', 'Labels of the pods that belong to the workload.', (object: T) =>
    formatLabelSelector(ownerOf(object).selector),
  );
  return [...containersOf(ownerOf), selector];
}

/** The same, of a workload with the selector next to the template. */
export const workloadWithSelector: readonly Column<{ readonly spec: SelectingOwner }>[] = workloadWithSelectorIn(
  ({ spec }) => spec,
);
