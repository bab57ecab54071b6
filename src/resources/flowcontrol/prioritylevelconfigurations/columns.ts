import type { Column } from '../../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { countAt, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of priority levels. */
export const columns: readonly Column[] = [
  name,
  text('Type', 'Whether requests of the level are limited.', (object) => stringAt(objectAt(object, 'spec'), 'type')),
  text('AssuredConcurrencyShares', 'Share of the requests that are served at the same time.', (object) =>
    countOrNone(objectAt(object, 'spec'), 'limited', 'assuredConcurrencyShares'),
  ),
  text('Queues', 'Number of queues for waiting requests.', queuing('queues')),
  text('HandSize', 'Number of queues that a flow can use.', queuing('handSize')),
  text('QueueLengthLimit', 'Number of requests that can wait in a queue.', queuing('queueLengthLimit')),
  age,
];

function queuing(field: string): (object: JsonObject) => JsonValue {
  return (object) => countOrNone(objectAt(object, 'spec', 'limited', 'limitResponse'), 'queuing', field);
}

function countOrNone(object: JsonObject, part: string, field: string): JsonValue {
  return isSet(object, part) ? countAt(objectAt(object, part), field) : orNone('');
}
