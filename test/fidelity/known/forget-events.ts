import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { differencesBetween } from '../compare.ts';
import { valueAt, withoutPath } from '../json-paths.ts';

/**
 * Normalised events of a watch without those in which nothing changes but who owns the object: a write that changes
 * nothing is written where it moves an ownership, such as that of a status that it resets or of an empty map.
 */
export function withoutOwnershipEvents(body: JsonValue): JsonValue {
  return mapEvents(body, (events) => changesIn(events, ['managedFields']));
}

/** The same without those that only raise a generation, and without generations. */
export function withoutGenerationEvents(body: JsonValue): JsonValue {
  const generation = ['object', 'metadata', 'generation'];
  return mapEvents(body, (events) =>
    changesIn(events, ['managedFields', 'generation']).map((event) => withoutPath(event, generation)),
  );
}

function mapEvents(body: JsonValue, map: (events: readonly JsonValue[]) => readonly JsonValue[]): JsonValue {
  const events = valueAt(body, ['events']);
  if (!isJsonObject(body) || !isJsonObject(events)) return body;
  const left = Object.entries(events).map(([name, list]) => [name, Array.isArray(list) ? map(list) : list]);
  return { ...body, events: Object.fromEntries(left) };
}

function changesIn(events: readonly JsonValue[], ignored: readonly string[]): readonly JsonValue[] {
  const objects = events.map((event) => contentOf(event, ignored));
  return events.filter(
    (event, index) =>
      valueAt(event, ['type']) !== 'MODIFIED' || differencesBetween(objects[index], objects[index - 1]).length > 0,
  );
}

function contentOf(event: JsonValue, ignored: readonly string[]): JsonValue {
  return ignored.reduce((object, name) => withoutPath(object, ['metadata', name]), valueAt(event, ['object']) ?? null);
}
