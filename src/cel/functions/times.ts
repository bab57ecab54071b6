import { type CelValue, Duration, Failure, Timestamp } from '../values/cel-value.ts';
import { isTimestamp, splitNanos } from '../values/timestamp.ts';
import { failures } from './failures.ts';
import type { Library } from './library.ts';
import { memoizeText } from '../../meta/memoize.ts';

const dayMs = 86_400_000;

/** The parts of a date, as `getUTC...` gives them. */
const dateParts: readonly (readonly [name: string, read: (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDayOfYear', (date) => Math.floor((date.getTime() - startOfYear(date)) / dayMs)],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

function startOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return start.getTime();
}

const durationParts: readonly (readonly [name: string, nanos: bigint])[] = [
  ['getHours', 3_600_000_000_000n],
  ['getMinutes', 60_000_000_000n],
  ['getSeconds', 1_000_000_000n],
];

function dateOf({ nanos }: Timestamp): Date {
  const { seconds, rest } = splitNanos(nanos);
  return new Date(Number(seconds) * 1000 + Number(rest / 1_000_000n));
}

const fixedOffset = /^([+-]?)(\d\d?):(\d\d)$/;

/** The time of a zone as if it were UTC; undefined if there is no such zone. */
function inZone(date: Date, zone: string): Date | undefined {
  const fixed = fixedOffset.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(date.getTime() + (fixed[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const format = zoneFormat(zone);
  if (!format) return undefined;
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const local = `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}Z`;
  return new Date(Date.parse(local) + date.getUTCMilliseconds());
}

/** Making a format takes some 50 microseconds. */
const zoneFormat = memoizeText(makeFormat, { most: 100 });

function makeFormat(zone: string): Intl.DateTimeFormat | undefined {
  if (zone.length > 64) return undefined;
  try {
    const two = '2-digit';
    const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone, hourCycle: 'h23' });
  } catch {
    return undefined;
  }
}

function zonePart(read: (date: Date) => number): (time: Timestamp, zone: string) => CelValue {
  return (time, zone) => {
    const date = inZone(dateOf(time), zone);
    return date ? BigInt(read(date)) : new Failure(`unknown time zone ${zone}`);
  };
}

function checkTimestamp(nanos: bigint): Timestamp | Failure {
  return isTimestamp(nanos) ? new Timestamp(nanos) : failures.timestampOverflow;
}

function checkDuration(nanos: bigint): Duration | Failure {
  return nanos >= 2n ** 63n || nanos < -(2n ** 63n) ? failures.durationOverflow : new Duration(nanos);
}

/** Timestamps and durations. */
export const times: Library = {
  functions: [
    ['_+_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => checkTimestamp(a.nanos + b.nanos)],
    ['_+_(duration, timestamp): timestamp', (a: Duration, b: Timestamp) => checkTimestamp(a.nanos + b.nanos)],
    ['_+_(duration, duration): duration', (a: Duration, b: Duration) => checkDuration(a.nanos + b.nanos)],
    ['_-_(timestamp, timestamp): duration', (a: Timestamp, b: Timestamp) => checkDuration(a.nanos - b.nanos)],
    ['_-_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => checkTimestamp(a.nanos - b.nanos)],
    ['_-_(duration, duration): duration', (a: Duration, b: Duration) => checkDuration(a.nanos - b.nanos)],
  ],
  methods: [
    ...dateParts.flatMap(([name, read]) => [
      [`${name}(timestamp): int`, (time: Timestamp) => BigInt(read(dateOf(time)))] as const,
      [`${name}(timestamp, string): int`, zonePart(read)] as const,
    ]),
    ...durationParts.map(([name, unit]) => [`${name}(duration): int`, ({ nanos }: Duration) => nanos / unit] as const),
    ['getMilliseconds(duration): int', ({ nanos }: Duration) => (nanos / 1_000_000n) % 1_000n],
  ],
};
