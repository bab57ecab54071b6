import { isSame } from './check-list.ts';
import type { ObjectHistory, ObjectVersion } from './object-history.ts';
import type { Selection } from './selections.ts';

/** One event that a client read. */
export interface ReceivedEvent {
  readonly type: string;
  readonly revision: number;
  readonly version: ObjectVersion;
}

/** A watch as a client read it: what came after `start`, up to and including `last`. */
export interface WatchResponse {
  readonly selection: Selection;
  readonly start: number;
  readonly last: number;
  readonly events: readonly ReceivedEvent[];
}

/** Compares a watch with the model; returns what is wrong, or undefined. */
export function checkWatch(
  { selection, start, last, events }: WatchResponse,
  history: ObjectHistory,
): string | undefined {
  // What the model has forgotten proves nothing either way.
  if (start < history.trimmedTo) return undefined;
  const expected = history.events(selection, start, last);
  const place = expected.findIndex(({ type, revision, version }, index) => {
    const event = events[index];
    if (event?.type !== type || event.revision !== revision) return true;
    // A DELETED event has the last selected version under the revision of the change.
    return !isSame({ ...version, revision }, event.version);
  });
  if (place === -1 && events.length === expected.length) return undefined;
  const at = place === -1 ? expected.length : place;
  return `${events.length} events where ${expected.length} are right up to ${last}; event ${at} is the first that differs`;
}
