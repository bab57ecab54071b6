import type { JsonObject } from '../../../../../meta/json-value.ts';
import { columnsEnd } from './align-columns.ts';
import { indented, tableLines } from './fields.ts';
import { since, textAt, valueAt } from './values.ts';

/** The lines of the Events of an object, the oldest first. */
export function eventLines(events: readonly JsonObject[], nowMs: number): string[] {
  if (events.length === 0) return ['Events:\t<none>'];
  const last = (event: JsonObject) => textAt(event, 'lastTimestamp');
  const sorted = events.toSorted((one, other) => (last(one) < last(other) ? -1 : Number(last(one) > last(other))));
  const columns = [
    ['Type', 'type'],
    ['Reason', 'reason'],
    ['Age', (event: JsonObject) => eventAge(event, nowMs)],
    ['From', (event: JsonObject) => textAt(event, 'source.component') || textAt(event, 'reportingComponent')],
    ['Message', eventMessage],
  ] as const;
  return [columnsEnd, 'Events:', ...indented(tableLines(columns, sorted))];
}

/** The age of an Event, with number and time if it was seen several times. */
function eventAge(event: JsonObject, nowMs: number): string {
  const first = since(valueAt(event, 'eventTime') ?? valueAt(event, 'firstTimestamp'), nowMs);
  const series = valueAt(event, 'series');
  if (series) {
    const seen = since(valueAt(event, 'series.lastObservedTime'), nowMs);
    return `${seen} (x${textAt(event, 'series.count')} over ${first})`;
  }
  const count = textAt(event, 'count');
  if (Number(count) > 1) return `${since(valueAt(event, 'lastTimestamp'), nowMs)} (x${count} over ${first})`;
  return first;
}

function eventMessage(event: JsonObject): string {
  const message = textAt(event, 'message').trim();
  const path = textAt(event, 'involvedObject.fieldPath');
  return path ? `${path}: ${message}` : message;
}
