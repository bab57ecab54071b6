import type { Column } from '../../../codec/table.ts';
import type { PriorityLevelConfiguration, QueuingConfiguration } from '../../../gen/stored/flowcontrol-v1beta2.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of priority levels. */
export const columns: readonly Column<PriorityLevelConfiguration>[] = [
  name,
  text('Type', 'Whether requests of the level are limited.', ({ spec }) => spec.type),
  text('AssuredConcurrencyShares', 'Share of the requests that are served at the same time.', ({ spec }) =>
    spec.limited ? spec.limited.assuredConcurrencyShares : orNone(''),
  ),
  text('Queues', 'Number of queues for waiting requests.', queuing('queues')),
  text('HandSize', 'Number of queues that a flow can use.', queuing('handSize')),
  text('QueueLengthLimit', 'Number of requests that can wait in a queue.', queuing('queueLengthLimit')),
  age,
];

function queuing(field: keyof QueuingConfiguration): (object: PriorityLevelConfiguration) => number | string {
  return ({ spec }) => spec.limited?.limitResponse.queuing?.[field] ?? orNone('');
}
