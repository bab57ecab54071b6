const shorthand = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/;
const zone = /^(CRON_)?TZ=\S+\s+/;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Words that stand for numbers, the first for `least`. */
  readonly words: readonly string[];
}

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59, words: [] },
  { name: 'hour', least: 0, most: 23, words: [] },
  { name: 'day of month', least: 1, most: 31, words: [] },
  { name: 'month', least: 1, most: 12, words: months },
  { name: 'day of week', least: 0, most: 6, words: days },
];

/** What is wrong with a schedule in cron form: five fields, or one of the words that begin with `@`. */
export function scheduleMessages(schedule: string): string[] {
  const text = schedule.replace(zone, '').trim();
  if (shorthand.test(text)) return [];
  const parts = text.split(/\s+/);
  if (parts.length !== fields.length) return [`expected exactly ${fields.length} fields, found ${parts.length}`];
  return fields.flatMap((field, index) =>
    (parts[index] ?? '').split(',').every((part) => isRange(part, field))
      ? []
      : [`failed to parse the ${field.name} field: ${parts[index]}`],
  );
}

/** `*`, `?`, a number, or a range of two, each with an optional step. */
function isRange(text: string, field: CronField): boolean {
  const [range = '', step, ...rest] = text.split('/');
  if (rest.length > 0 || (step !== undefined && !/^[1-9][0-9]{0,3}$/.test(step))) return false;
  if (range === '*' || range === '?') return true;
  const bounds = range.split('-').map((bound) => numberOf(bound, field));
  const [low = -1, high = low] = bounds;
  return bounds.length <= 2 && low >= field.least && high <= field.most && low <= high;
}

function numberOf(text: string, { least, words }: CronField): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return least + word;
  return /^[0-9]{1,2}$/.test(text) ? Number(text) : -1;
}
