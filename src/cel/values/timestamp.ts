import { parseInstant } from '../../meta/time.ts';

const nanosPerSecond = 1_000_000_000n;
const [first, last] = [-62_135_596_800n * nanosPerSecond, 253_402_300_800n * nanosPerSecond - 1n];

/** Reports whether a time is in the years 1 to 9999. */
export function isTimestamp(nanos: bigint): boolean {
  return nanos >= first && nanos <= last;
}

/** Reports whether seconds since 1970 are in the range of timestamps. */
export function isSecond(seconds: bigint): boolean {
  return isTimestamp(seconds * nanosPerSecond);
}

/** Nanoseconds since 1970 of a time in RFC 3339; undefined if the text is none. */
export function parseTimestamp(text: string): bigint | undefined {
  const instant = parseInstant(text);
  if (!instant) return undefined;
  const nanos = BigInt(instant.seconds) * nanosPerSecond + BigInt(instant.fraction.slice(0, 9).padEnd(9, '0'));
  return isTimestamp(nanos) ? nanos : undefined;
}

/** A time in RFC 3339, with the fraction of a second that it has. */
export function formatTimestamp(nanos: bigint): string {
  const { seconds, rest } = splitNanos(nanos);
  const date = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${date}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Whole seconds, and the nanoseconds after them. */
export function splitNanos(nanos: bigint): { readonly seconds: bigint; readonly rest: bigint } {
  const rest = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { seconds: (nanos - rest) / nanosPerSecond, rest };
}
