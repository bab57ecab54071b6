/** The severity letters of klog, by level. */
const severities: Readonly<Record<string, string>> = { debug: 'I', info: 'I', warn: 'W', error: 'E', fatal: 'F' };

/**
 * All control characters except line feeds, which traces contain. JSON escapes only some of them.
 */
const controls = /[^\P{Cc}\n]/gu;

/** The fields that are not shown as pairs. */
const shownApart: ReadonlySet<string> = new Set(['ts', 'level', 'v', 'logger', 'msg']);

/**
 * Formats a record in klog's text format: severity, date and time, process, component, message, and
 * pairs. Only traces have several lines. Other control characters are replaced, because a terminal
 * would interpret them.
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

/** Formats a number with at least two digits. */
function two(value: number): string {
  return String(value).padStart(2, '0');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const { message } = value as { readonly message?: unknown };
  return JSON.stringify(typeof message === 'string' ? message : JSON.stringify(value));
}
