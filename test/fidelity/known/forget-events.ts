import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { differencesBetween } from '../compare.ts';
import { valueAt, withoutPath } from '../json-paths.ts';

/**
 * Normalised events of a watch without those in which nothing changes but who owns the object: a write that changes
 * nothing is written where it moves an ownership, such as that of a status that it resets or of an empty map.
 */
export function withoutOwnershipEvents(body: JsonValue): JsonValue {
  const events = valueAt(body, ['events']);
  if (!isJsonObject(body) || !isJsonObject(events)) return body;
  const left = Object.entries(events).map(([name, list]) => [name, Array.isArray(list) ? changesIn(list) : list]);
  return { ...body, events: Object.fromEntries(left) };
}

function changesIn(events: readonly JsonValue[]): JsonValue[] {
  const objects = events.map((event) => contentOf(event));
  return events.filter(
    (event, index) =>
      valueAt(event, ['type']) !== 'MODIFIED' || differencesBetween(objects[index], objects[index - 1]).length > 0,
  );
}

function contentOf(event: JsonValue): JsonValue {
  return withoutPath(valueAt(event, ['object']) ?? null, ['metadata', 'managedFields']);
}
