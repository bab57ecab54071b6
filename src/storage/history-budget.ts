import type { EventLog } from './event-log.ts';
import type { ResourceEvent } from './resource-event.ts';

/**
 * The time up to which all logs have to forget, so that together they keep no more than so many bytes: the oldest events go
 * first, whichever resource they are of. -Infinity where nothing has to go. Takes a step for each event that goes and each log.
 */
export function forgetUntil(logs: readonly EventLog[], bytes: number): number {
  let excess = logs.reduce((sum, log) => sum + log.bytes, -bytes);
  let untilMs = Number.NEGATIVE_INFINITY;
  if (excess <= 0) return untilMs;
  const heads = logs.map((log) => headOf(log.events()));
  while (excess > 0) {
    const oldest = oldestOf(heads);
    if (!oldest) break;
    excess -= oldest.event.bytes;
    // A log that was extended into the past has young entries of old events before others.
    untilMs = Math.max(untilMs, oldest.event.atMs);
    heads[oldest.at] = headOf(oldest.rest);
  }
  return untilMs;
}

/** The oldest event of a log that may stay, and those behind it. */
interface Head {
  readonly event: ResourceEvent;
  readonly rest: Iterator<ResourceEvent, void>;
}

function headOf(rest: Iterator<ResourceEvent, void>): Head | undefined {
  const { value: event } = rest.next();
  return event ? { event, rest } : undefined;
}

function oldestOf(heads: readonly (Head | undefined)[]): (Head & { readonly at: number }) | undefined {
  let oldest: (Head & { readonly at: number }) | undefined;
  for (const [at, head] of heads.entries()) {
    if (head && (!oldest || head.event.atMs < oldest.event.atMs)) oldest = { ...head, at };
  }
  return oldest;
}
