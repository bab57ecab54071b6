import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** An Event as tables show it. */
interface EventRow {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: string;
  /** The time at which it was seen last. */
  readonly last: string;
}

/** The row of an Event, which may be one of a series. */
export function eventRow(event: JsonObject): EventRow {
  const first = (...paths: readonly string[]): string =>
    paths.map((path) => textAt(event, path)).find((text) => text !== '') ?? '';
  return {
    type: textAt(event, 'type'),
    reason: textAt(event, 'reason'),
    message: textAt(event, 'message'),
    count: first('series.count', 'count') || '1',
    last: first('series.lastObservedTime', 'lastTimestamp', 'eventTime', 'metadata.creationTimestamp'),
  };
}
