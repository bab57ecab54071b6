/** The first letters of lines by level, as klog has them. */
const severities: Readonly<Record<string, string>> = { debug: 'I', info: 'I', warn: 'W', error: 'E', fatal: 'F' };

/** All control characters but the line feeds of traces. JSON escapes only the first 32. */
const controls = /[^\P{Cc}\n]/gu;

/** Fields that a line shows in another way than as pairs. */
const shownApart: ReadonlySet<string> = new Set(['ts', 'level', 'v', 'logger', 'msg']);

/**
 * Writes a record as klog writes a line of text: severity, date and time, process, component, the
 * message, and pairs of names and values. The lines of a trace stay as they are, and are the only
 * message of several lines. Control characters, which a terminal would obey, are replaced.
 */
export function logText(record: Readonly<Record<string, unknown>>, pid: number): string {
  const { ts, level, logger = '', msg = '' } = record;
  const date = new Date(Number(ts));
  const day = `${two(date.getMonth() + 1)}${two(date.getDate())}`;
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const micros = `${String(date.getMilliseconds()).padStart(3, '0')}000`;
  const head = `${severities[String(level)] ?? 'I'}${day} ${time}.${micros} ${String(pid).padStart(7)} ${String(logger)}]`;
  const text = String(msg);
  const message = text.startsWith('Trace[') ? text : JSON.stringify(text);
  const pairs = Object.entries(record)
    .filter(([name]) => !shownApart.has(name))
    .map(([name, value]) => ` ${name}=${valueText(value)}`);
  return `${`${head} ${message}${pairs.join('')}`.replaceAll(controls, '\ufffd')}\n`;
}

/** Writes a number with two digits at least. */
function two(value: number): string {
  return String(value).padStart(2, '0');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const { message } = value as { readonly message?: unknown };
  return JSON.stringify(typeof message === 'string' ? message : JSON.stringify(value));
}
