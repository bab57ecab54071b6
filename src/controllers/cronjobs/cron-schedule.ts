import { parseDuration } from '../../meta/duration.ts';

/** The times of a schedule. */
export interface CronSchedule {
  /** The first time after another, in milliseconds; undefined if there is none in five years. */
  next(afterMs: number): number | undefined;
}

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const every = '@every ';
const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;
const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The time zone that a schedule begins with; undefined for most. */
export function zoneInSchedule(schedule: string): string | undefined {
  return zonePrefix.exec(schedule)?.[1];
}

/**
 * Compiles a schedule that the server has accepted. Times are in a time zone, by default the time
 * zone of this process. Throws RangeError for an unknown time zone.
 */
export function compileSchedule(schedule: string, timeZone?: string): CronSchedule {
  const zone = zoneInSchedule(schedule) ?? timeZone;
  const wallClock = wallClockOf(zone);
  const text = schedule.replace(zonePrefix, '').trim();
  if (text.startsWith(every)) return regular(Number((parseDuration(text.slice(every.length)) ?? 0n) / 1_000_000n));
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = (descriptors[text] ?? text).split(/\s+/);
  const fields: CronFields = {
    minutes: valuesOf(minute, 0, 59),
    hours: valuesOf(hour, 0, 23),
    days: valuesOf(day, 1, 31),
    months: valuesOf(month, 1, 12, months),
    weekdays: valuesOf(weekday, 0, 6, days),
    // Days of the month and of the week are alternatives, unless one of them is not limited.
    anyDay: [day, weekday].some((field) => /^[*?]/.test(field)),
  };
  return { next: (afterMs) => nextTime(fields, wallClock, afterMs) };
}

/** Times with a fixed distance, in whole seconds. */
function regular(intervalMs: number): CronSchedule {
  const seconds = Math.max(1, Math.floor(intervalMs / 1000));
  return { next: (afterMs) => (Math.floor(afterMs / 1000) + seconds) * 1000 };
}

interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  readonly anyDay: boolean;
}

function valuesOf(field: string, least: number, most: number, words: readonly string[] = []): Set<number> {
  const read = (word: string): number => {
    const index = words.indexOf(word.toLowerCase());
    return index >= 0 ? index : Number(word);
  };
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step] = part.split('/');
    const [low = '', high] = range.split('-');
    const whole = low === '*' || low === '?';
    const first = whole ? least : read(low);
    const last = whole || (high === undefined && step !== undefined) ? most : read(high ?? low);
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A schedule without a time in five years, such as 30 February, has none. */
const dayLimit = 5 * 366;

/** Clocks are changed by less than this. */
const clockChangeMs = 3 * 60 * minuteMs;

/** Walks over days of the wall clock, which are written as if they were in UTC. */
function nextTime(fields: CronFields, clock: WallClock, afterMs: number): number | undefined {
  const wall = clock.toWall(afterMs);
  // The wall clock may show an earlier time later, but only where its offset changes.
  const earliest = hasClockChange(clock, afterMs) ? wall - clockChangeMs : wall;
  const today = Math.floor(wall / dayMs) * dayMs;
  for (let day = 0; day < dayLimit; day++) {
    const start = today + day * dayMs;
    if (!matchesDay(fields, new Date(start))) continue;
    for (const time of timesOf(fields, start)) {
      if (time < earliest) continue;
      const found = clock.fromWall(time);
      if (found > afterMs) return found;
    }
  }
  return undefined;
}

function hasClockChange({ toWall }: WallClock, timeMs: number): boolean {
  return toWall(timeMs + clockChangeMs) - toWall(timeMs - clockChangeMs) !== 2 * clockChangeMs;
}

function matchesDay({ days: daysOf, months: monthsOf, weekdays, anyDay }: CronFields, date: Date): boolean {
  if (!monthsOf.has(date.getUTCMonth() + 1)) return false;
  const [byMonth, byWeek] = [daysOf.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
  return anyDay ? byMonth && byWeek : byMonth || byWeek;
}

function timesOf({ hours, minutes }: CronFields, start: number): number[] {
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => start + (hour * 60 + minute) * minuteMs));
  return times.toSorted((a, b) => a - b);
}

/** Converts between times and the wall clock of a time zone. */
interface WallClock {
  readonly toWall: (timeMs: number) => number;
  readonly fromWall: (wallMs: number) => number;
}

function wallClockOf(timeZone: string | undefined): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timeZone === 'Local' ? undefined : timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const toWall = (timeMs: number): number => {
    const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  return {
    toWall,
    // The offset at the guess is that at the time, except in the hour of a change of the clocks.
    fromWall(wallMs) {
      const guess = wallMs - (toWall(wallMs) - wallMs);
      return wallMs - (toWall(guess) - guess);
    },
  };
}
