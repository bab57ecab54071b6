import type { Column } from '../../codec/table.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { wide } from './column.ts';
import { formatLabelSelector } from './format-labels.ts';

/** Returns the part of an object that has the field `template`. */
type TemplateOwner = (object: JsonObject) => JsonObject;

const specOf: TemplateOwner = (object) => objectAt(object, 'spec');

/** A field of the containers in the pod template of an owner, joined by commas. */
export function templateContainers(owner: JsonObject, field: 'name' | 'image'): string {
  const containers = objectsAt(objectAt(owner, 'template', 'spec'), 'containers');
  return containers.map((container) => stringAt(container, field)).join(',');
}

/** The columns with the containers and images of a workload. */
export function workload(ownerOf: TemplateOwner = specOf): readonly Column[] {
  return [
    wide('Containers', 'Names of the containers in the template.', (object) =>
      templateContainers(ownerOf(object), 'name'),
    ),
    wide('Images', 'Images of the containers in the template.', (object) =>
      templateContainers(ownerOf(object), 'image'),
    ),
  ];
}

/** As `workload`, with the label selector next to the template. */
export function workloadWithSelector(ownerOf: TemplateOwner = specOf): readonly Column[] {
  const selector = wide('Selector', 'Labels of the pods that belong to the workload.', (object) =>
    formatLabelSelector(ownerOf(object), 'selector'),
  );
  return [...workload(ownerOf), selector];
}
