import { parseTime } from './time.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/** A range of durations, and the units in which it is written. */
interface DurationRange {
  /** The range ends before this duration. */
  readonly endMs: number;
  readonly unitMs: number;
  readonly unit: string;
  /** The second unit, for the rest; its number is omitted if it is 0. */
  readonly restMs?: number;
  readonly rest?: string;
}

const ranges: readonly DurationRange[] = [
  { endMs: 2 * minuteMs, unitMs: secondMs, unit: 's' },
  { endMs: 10 * minuteMs, unitMs: minuteMs, unit: 'm', restMs: secondMs, rest: 's' },
  { endMs: 3 * hourMs, unitMs: minuteMs, unit: 'm' },
  { endMs: 8 * hourMs, unitMs: hourMs, unit: 'h', restMs: minuteMs, rest: 'm' },
  { endMs: 2 * dayMs, unitMs: hourMs, unit: 'h' },
  { endMs: 8 * dayMs, unitMs: dayMs, unit: 'd', restMs: hourMs, rest: 'h' },
  { endMs: 2 * yearMs, unitMs: dayMs, unit: 'd' },
  { endMs: 8 * yearMs, unitMs: yearMs, unit: 'y', restMs: dayMs, rest: 'd' },
  { endMs: Number.POSITIVE_INFINITY, unitMs: yearMs, unit: 'y' },
];

/**
 * Formats a duration in milliseconds as clients show ages, with two or three digits: `90s`,
 * `5m30s`, `36h`, `3d4h`, `2y`. A time that is more than a second ahead is `<invalid>`.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / secondMs);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const ms = seconds * secondMs;
  for (const { endMs, unitMs, unit, restMs, rest } of ranges) {
    if (ms >= endMs) continue;
    const left = restMs === undefined ? 0 : Math.floor((ms % unitMs) / restMs);
    return `${Math.floor(ms / unitMs)}${unit}${left > 0 ? `${left}${rest}` : ''}`;
  }
  return '<invalid>';
}

/** Formats the time since a timestamp as `humanDuration` does; `<unknown>` if there is none. */
export function ageSince(timestamp: string, nowMs: number): string {
  const time = parseTime(timestamp);
  return time === undefined ? '<unknown>' : humanDuration(nowMs - time);
}
