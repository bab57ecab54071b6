const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const every = '@every ';
const duration = /^(?:[0-9]+(?:\.[0-9]*)?(?:ns|us|µs|ms|s|m|h))+$/;
const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface CronField {
  readonly least: number;
  readonly most: number;
  /** Names for numbers; the first one stands for `least`. */
  readonly words: readonly string[];
}

/** Minute, hour, day of month, month, day of week. */
const fields: readonly CronField[] = [
  { least: 0, most: 59, words: [] },
  { least: 0, most: 23, words: [] },
  { least: 1, most: 31, words: [] },
  { least: 1, most: 12, words: months },
  { least: 0, most: 6, words: days },
];

/**
 * Checks a schedule: five fields, or a descriptor such as `@daily`, with or without a time zone
 * before it. Returns at most one message, of the first error.
 */
export function scheduleMessages(schedule: string): string[] {
  const zone = zonePrefix.exec(schedule)?.[1];
  if (zone !== undefined && !isTimeZone(zone)) return [`provided bad location ${zone}: unknown time zone ${zone}`];
  const text = schedule.replace(zonePrefix, '').trim();
  const message = text.startsWith('@') ? descriptorMessage(text) : fieldsMessage(text);
  return message === undefined ? [] : [message];
}

const zonePart = /^[A-Za-z._0-9+][A-Za-z._\-0-9+]{0,13}$/;

/** The reason why a text is not a time zone; empty if it is. */
export function timeZoneMessages(zone: string): readonly string[] {
  if (zone === '') return ['timeZone must be nil or non-empty string'];
  const unknown = [`unknown time zone ${zone}`];
  if (zone.split('/').some((part) => part === '.' || part === '..' || !zonePart.test(part))) return unknown;
  if (zone.toLowerCase() === 'local') {
    return ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'];
  }
  return isTimeZone(zone) ? [] : unknown;
}

/** True for the names of the database of time zones, and not for offsets such as `+01:00`. */
function isTimeZone(name: string): boolean {
  if (name === 'Local') return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function descriptorMessage(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(every)) return `Unrecognized descriptor: ${text}`;
  const given = text.slice(every.length);
  return duration.test(given)
    ? undefined
    : `Failed to parse duration ${text}: time: invalid duration ${JSON.stringify(given)}`;
}

function fieldsMessage(text: string): string | undefined {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) {
    return `Expected exactly ${fields.length} fields, found ${parts.length}: ${text}`;
  }
  for (const [index, field] of fields.entries()) {
    for (const part of (parts[index] ?? '').split(',')) {
      const message = rangeMessage(part, field);
      if (message !== undefined) return message;
    }
  }
  return undefined;
}

/** Checks `*`, `?`, a number or a range, each with an optional step. Returns the error. */
function rangeMessage(text: string, field: CronField): string | undefined {
  const [range = '', step, ...rest] = text.split('/');
  const [low = '', high, ...more] = range.split('-');
  const whole = low === '*' || low === '?';
  if (!whole && more.length > 0) return `Too many hyphens: ${text}`;
  const numbers = [
    ...(whole ? [] : [low, ...(high === undefined ? [] : [high])]),
    ...(step === undefined ? [] : [step]),
  ];
  const unread = numbers.find((one) => Number.isNaN(numberOf(one, one === step ? plain : field)));
  if (unread !== undefined)
    return `Failed to parse int from ${unread}: strconv.Atoi: parsing ${JSON.stringify(unread)}: invalid syntax`;
  if (rest.length > 0) return `Too many slashes: ${text}`;
  const start = whole ? field.least : numberOf(low, field);
  const last = step === undefined ? start : field.most;
  const end = whole ? field.most : high === undefined ? last : numberOf(high, field);
  return boundsMessage({ text, start, end, step: step === undefined ? 1 : Number(step) }, field);
}

const plain: CronField = { least: 0, most: 0, words: [] };

interface CronRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

function boundsMessage({ text, start, end, step }: CronRange, { least, most }: CronField): string | undefined {
  if (start < least) return `Beginning of range (${start}) below minimum (${least}): ${text}`;
  if (end > most) return `End of range (${end}) above maximum (${most}): ${text}`;
  if (start > end) return `Beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `Step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, { least, words }: CronField): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return least + word;
  return /^\+?[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
