/** The text of the last second, because most calls are for the same one. */
let lastSecond = { seconds: 0, text: '' };

/** Formats microseconds since 1970 as a time of RFC 3339 with six digits of a second. */
export function microTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  if (seconds !== lastSecond.seconds) {
    lastSecond = { seconds, text: new Date(seconds * 1000).toISOString().slice(0, -4) };
  }
  return `${lastSecond.text}${String(micros - seconds * 1e6).padStart(6, '0')}Z`;
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
