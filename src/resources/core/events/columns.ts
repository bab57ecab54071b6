import type { Column } from '../../../codec/table-definition.ts';
import type { Event } from '../../../gen/stored/core-v1.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { nameColumn, textColumn, wideColumn } from '../../columns/column.ts';

/** The columns of events, in both of their groups. */
export const columns: readonly Column<Event>[] = [
  textColumn('Last Seen', 'Time since the event last occurred.', (event, { nowMs }) =>
    ageSince(lastSeen(event), nowMs),
  ),
  textColumn('Type', 'Normal or Warning.', ({ type = '' }) => type),
  textColumn('Reason', 'Short reason of the event, for machines.', ({ reason = '' }) => reason),
  textColumn('Object', 'Kind and name of the object that the event is about.', involvedObject),
  wideColumn(
    'Subobject',
    'Part of the object that the event is about.',
    (event) => event.involvedObject.fieldPath ?? '',
  ),
  wideColumn('Source', 'Component that reported the event, and its host.', sourceOf),
  textColumn('Message', 'Description of the event, for people.', ({ message = '' }) => message.trim()),
  wideColumn('First Seen', 'Time since the event first occurred.', (event, { nowMs }) =>
    ageSince(firstSeen(event), nowMs),
  ),
  // A series counts the occurrences after the first one.
  wideColumn('Count', 'How often the event has occurred.', ({ series, count }) =>
    series ? (series.count ?? 0) + 1 : count || 1,
  ),
  { ...nameColumn, priority: 1 },
];

function firstSeen({ firstTimestamp, eventTime }: Event): string {
  return firstTimestamp || eventTime || '';
}

function lastSeen(event: Event): string {
  if (event.series) return event.series.lastObservedTime ?? '';
  return event.lastTimestamp || firstSeen(event);
}

function involvedObject({ involvedObject: { kind = '', name: named } }: Event): string {
  return named ? `${kind.toLowerCase()}/${named}` : kind.toLowerCase();
}

function sourceOf({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
