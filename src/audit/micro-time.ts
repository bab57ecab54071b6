import { formatTime } from '../meta/time.ts';

/** Formats microseconds since 1970 as a time of RFC 3339 with six digits of a second. */
export function microTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  return `${formatTime(seconds * 1000).slice(0, -1)}.${String(micros - seconds * 1e6).padStart(6, '0')}Z`;
}

/** The clocks may differ by this much before the monotonic one is corrected. */
const toleratedDriftMs = 5;

/**
 * Returns the time of a value of `performance.now()` in microseconds since 1970. The monotonic
 * clock is finer than `Date.now()`, but does not follow corrections of the system's clock.
 */
export function microsAt(performanceMs: number): number {
  const { timeOrigin } = performance;
  const driftMs = Date.now() - (timeOrigin + performance.now());
  const correctionMs = Math.abs(driftMs) > toleratedDriftMs ? driftMs : 0;
  return Math.round((timeOrigin + performanceMs + correctionMs) * 1000);
}
