import type { EventLog } from './event-log.ts';
import type { ResourceEvent } from './resource-event.ts';

/**
 * The time up to which all logs must drop events so that together they keep at most `bytes`. The
 * oldest events go first, whatever their resource. -Infinity if nothing must be dropped. Costs one
 * step for each log and for each dropped event.
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
    // After a log was extended into the past, its old events have later times than the events after
    // them.
    untilMs = Math.max(untilMs, oldest.event.atMs);
    heads[oldest.at] = headOf(oldest.rest);
  }
  return untilMs;
}

/** The oldest event of a log that is not yet counted as dropped, and the events after it. */
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
