import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { name, text } from '../../columns/column.ts';
import { formatLabels } from '../../columns/format-labels.ts';
import { templateContainers } from '../../columns/workload.ts';

/** The columns of pod templates. */
export const columns: readonly Column[] = [
  name,
  text('Containers', 'Names of the containers in the template.', (object) => templateContainers(object, 'name')),
  text('Images', 'Images of the containers in the template.', (object) => templateContainers(object, 'image')),
  text('Pod Labels', 'Labels of the pods made from the template.', (object) =>
    formatLabels(objectAt(object, 'template', 'metadata'), 'labels'),
  ),
];
