import type { CellContext, Column } from '../../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { countAt } from '../../columns/cell-text.ts';
import { name, text, wide } from '../../columns/column.ts';

/** The columns of events, in both of their groups. */
export const columns: readonly Column[] = [
  text('Last Seen', 'Time since the event last occurred.', (event, { nowMs }) => ageSince(lastSeen(event), nowMs)),
  text('Type', 'Normal or Warning.', (event) => stringAt(event, 'type')),
  text('Reason', 'Short reason of the event, for machines.', (event) => stringAt(event, 'reason')),
  text('Object', 'Kind and name of the object that the event is about.', involvedObject),
  wide('Subobject', 'Part of the object that the event is about.', (event) =>
    stringAt(objectAt(event, 'involvedObject'), 'fieldPath'),
  ),
  wide('Source', 'Component that reported the event, and its host.', source),
  text('Message', 'Description of the event, for people.', (event) => stringAt(event, 'message').trim()),
  wide('First Seen', 'Time since the event first occurred.', (event, { nowMs }: CellContext) =>
    ageSince(firstSeen(event), nowMs),
  ),
  wide('Count', 'How often the event has occurred.', count),
  { ...name, priority: 1 },
];

function firstSeen(event: JsonObject): string {
  return stringAt(event, 'firstTimestamp') || stringAt(event, 'eventTime');
}

function lastSeen(event: JsonObject): string {
  if (isSet(event, 'series')) return stringAt(objectAt(event, 'series'), 'lastObservedTime');
  return stringAt(event, 'lastTimestamp') || firstSeen(event);
}

/** A series counts the occurrences after the first one. */
function count(event: JsonObject): JsonValue {
  if (isSet(event, 'series')) return (numberAt(objectAt(event, 'series'), 'count') ?? 0) + 1;
  return countAt(event, 'count') || 1;
}

function involvedObject(event: JsonObject): string {
  const object = objectAt(event, 'involvedObject');
  const kind = stringAt(object, 'kind').toLowerCase();
  const named = stringAt(object, 'name');
  return named === '' ? kind : `${kind}/${named}`;
}

function source(event: JsonObject): string {
  const from = objectAt(event, 'source');
  const component = stringAt(from, 'component') || stringAt(event, 'reportingComponent');
  const instance = stringAt(from, 'host') || stringAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
