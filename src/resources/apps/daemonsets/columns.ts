import type { Column } from '../../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, integer, name, text } from '../../columns/column.ts';
import { formatLabels } from '../../columns/format-labels.ts';
import { workloadWithSelector } from '../../columns/workload.ts';

/** The columns of daemon sets. */
export const columns: readonly Column[] = [
  name,
  integer('Desired', 'Number of nodes that should run the pod.', statusCount('desiredNumberScheduled')),
  integer('Current', 'Number of nodes that run the pod and should.', statusCount('currentNumberScheduled')),
  integer('Ready', 'Number of nodes on which the pod is ready.', statusCount('numberReady')),
  integer('Up-to-date', 'Number of nodes with the desired template.', statusCount('updatedNumberScheduled')),
  integer('Available', 'Number of nodes on which the pod is available.', statusCount('numberAvailable')),
  text('Node Selector', 'Labels of the nodes that run the pod.', (object) =>
    formatLabels(objectAt(object, 'spec', 'template', 'spec'), 'nodeSelector'),
  ),
  age,
  ...workloadWithSelector(),
];

function statusCount(field: string): (object: JsonObject) => JsonValue {
  return (object) => countAt(objectAt(object, 'status'), field);
}
