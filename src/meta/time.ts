/** RFC 3339 with upper-case T and Z, as Go parses it. */
const timePattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,30}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Longer texts are refused unread. */
const textLimit = 64;

/**
 * Matches canonical times, but for the 29th of February; parsing costs a hundred times as much.
 */
const canonicalPattern =
  /^[1-9]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const canonicalLength = 20;

function isCanonical(text: string): boolean {
  return text.length === canonicalLength && canonicalPattern.test(text);
}

interface Instant {
  /** Seconds since 1970, UTC. */
  readonly seconds: number;
  /** Digits after the decimal point; '' if there are none. */
  readonly fraction: string;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Parses an RFC 3339 time; undefined if the text is not one. */
export function parseInstant(text: string): Instant | undefined {
  if (isCanonical(text)) return { seconds: Date.parse(text) / 1000, fraction: '' };
  const match = text.length <= textLimit ? timePattern.exec(text) : null;
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [zoneHours, zoneMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (zoneHours > 24 || zoneMinutes > 59) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offsetSeconds = (zoneHours * 60 + zoneMinutes) * 60 * (match[8] === '-' ? -1 : 1);
  return { seconds: date.getTime() / 1000 - offsetSeconds, fraction: match[7] ?? '' };
}

/** A cache of formatted seconds: the same few seconds are written and read repeatedly. */
const formattedSeconds = new Map<number, string | undefined>();
const formattedSecondsLimit = 1_000;

function formatSeconds(seconds: number): string | undefined {
  const known = formattedSeconds.get(seconds);
  if (known !== undefined) return known;
  const text = formatNewSeconds(seconds);
  if (formattedSeconds.size >= formattedSecondsLimit) formattedSeconds.clear();
  formattedSeconds.set(seconds, text);
  return text;
}

function formatNewSeconds(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  // A time zone can move a time outside four-digit years; it is NaN outside the range of Date.
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 19) : undefined;
}

/**
 * Formats seconds since 1970, with six decimals of the nanoseconds or none. Undefined outside the
 * years 0 to 9999.
 */
export function formatInstant(seconds: number, decimals: 0 | 6, nanoseconds = 0): string | undefined {
  const text = formatSeconds(seconds);
  if (text === undefined || decimals === 0) return text && `${text}Z`;
  return `${text}.${String(nanoseconds).padStart(9, '0').slice(0, 6)}Z`;
}

/** Parses an RFC 3339 time to milliseconds since 1970; undefined if the text is not such a time. */
export function parseTime(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant && instant.seconds * 1000 + Number(instant.fraction.padEnd(3, '0').slice(0, 3));
}

/** Formats milliseconds since 1970 in UTC and whole seconds: `2006-01-02T15:04:05Z`. */
export function formatTime(milliseconds: number): string {
  return `${formatSeconds(Math.floor(milliseconds / 1000)) ?? new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The present time in RFC 3339 with six decimals, the format of MicroTime. */
export function nowMicroTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}

/** The canonical form of a time: UTC, whole seconds. Undefined if the text is not a time. */
export function normaliseTime(text: string): string | undefined {
  if (isCanonical(text)) return text;
  const instant = parseInstant(text);
  const seconds = instant && formatSeconds(instant.seconds);
  return seconds && `${seconds}Z`;
}

/** The current time in canonical form. */
export function now(): string {
  return formatTime(Date.now());
}

/**
 * The canonical form of a time with microseconds: UTC, six decimals. Undefined if the text is not
 * such a time; as in Kubernetes exactly six decimals are required.
 */
export function normaliseMicroTime(text: string): string | undefined {
  const instant = parseInstant(text);
  if (instant?.fraction.length !== 6) return undefined;
  const seconds = formatSeconds(instant.seconds);
  return seconds && `${seconds}.${instant.fraction}Z`;
}
