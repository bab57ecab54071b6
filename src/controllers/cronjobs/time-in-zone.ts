/** Formats a time as RFC 3339 in a time zone; by default in the zone of the process. */
export function timeInZone(timeMs: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  const parts = format.formatToParts(timeMs);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  const offset = of('timeZoneName')
    .replace(/^GMT(\+00:00)?$/, 'Z')
    .replace('GMT', '');
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}${offset}`;
}
