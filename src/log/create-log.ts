import { type DestinationStream, type Logger, pino } from 'pino';
import { levelOf } from './log-levels.ts';
import type { LogOptions } from './program-log-options.ts';
import { logText } from './log-text.ts';
import { RepeatedLines, windowMs } from './repeated-lines.ts';

/** Fields that are redacted in log records. */
const secrets = ['authorization', 'token', 'headers.authorization', 'request.headers.authorization'];

/** The texts of lines for each request and each step of a controller, which are never limited. */
const unlimited: ReadonlySet<string> = new Set(['HTTP', 'reconciled']);

/** A log, and the state of its output. */
interface ProgramLog<Component extends string> {
  /** Returns the log of a component, with its name and verbosity. */
  of(component: Component): Logger;
  readonly isWritable: () => boolean;
}

/** An output for log lines. */
interface LogFile extends DestinationStream {
  on?(event: 'error' | 'close', listener: () => void): unknown;
}

/**
 * Creates the log of a program: a record per line on standard error, as JSON or as text. Repeated
 * lines of a component are limited, and secrets are masked.
 */
export function createLog<Component extends string>(
  options: LogOptions<Component>,
  file: LogFile = pino.destination({ dest: 2, sync: true }),
): ProgramLog<Component> {
  let broken = false;
  file.on?.('error', () => (broken = true));
  file.on?.('close', () => (broken = true));
  const destination: DestinationStream = { write: (line) => file.write(formatted(line, options.loggingFormat)) };
  const common = {
    redact: secrets,
    timestamp: () => `,"ts":${Date.now()}`,
    formatters: { level: (level: string) => (level === 'error' ? { level } : { level, v: level === 'debug' ? 4 : 0 }) },
  };
  const summary = pino({ ...common, base: undefined, level: options.logLevel }, destination);
  const limit = limitLines<Component>((logger, suppressed, text) => {
    summary.info({ logger, suppressed, text }, 'log lines were left out because they repeat themselves');
  });
  const logs = new Map<Component, Logger>();
  return {
    of(component) {
      const known = logs.get(component);
      if (known) return known;
      const isTaken = limit(component);
      const log = pino(
        {
          ...common,
          base: { logger: component },
          level: levelOf(options, component),
          hooks: {
            logMethod(args, method) {
              const text = args.find((arg): arg is string => typeof arg === 'string') ?? '';
              // Traces of slow requests count as one text.
              const limited = text.startsWith('Trace[') ? 'Trace' : text;
              if (unlimited.has(text) || isTaken(limited)) method.apply(this, args);
            },
          },
        },
        destination,
      );
      logs.set(component, log);
      return log;
    },
    isWritable: () => !broken,
  };
}

/**
 * Limits the lines of components in common windows. At the end of a window, or of the process,
 * `report` is called for each text with suppressed lines.
 */
function limitLines<Component extends string>(
  report: (component: Component, count: number, text: string) => void,
): (component: Component) => (text: string) => boolean {
  const byComponent = new Map<Component, RepeatedLines>();
  let timer: NodeJS.Timeout | undefined;
  let endsWithProcess = false;
  const endWindow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    process.removeListener('exit', endWindow);
    endsWithProcess = false;
    for (const [component, lines] of byComponent) {
      for (const { text, count } of lines.next()) report(component, count, text);
    }
  };
  return (component) => {
    const lines = new RepeatedLines();
    byComponent.set(component, lines);
    return (text) => {
      timer ??= setTimeout(endWindow, windowMs).unref();
      const isTaken = lines.take(text);
      if (!isTaken && !endsWithProcess) process.once('exit', endWindow);
      endsWithProcess ||= !isTaken;
      return isTaken;
    };
  };
}

function formatted(line: string, format: LogOptions<string>['loggingFormat']): string {
  const hidden = hideSecrets(line);
  if (format === 'json') return hidden;
  // The record was just written by pino as JSON.
  return logText(JSON.parse(hidden) as Record<string, unknown>, process.pid);
}

/**
 * Patterns of secrets, which are masked wherever they occur. This is the last of several measures,
 * for messages of libraries and other servers. Clients influence parts of lines: each pattern
 * starts at a word boundary, so that matching takes linear time, and ends before a quote, so that a
 * JSON record stays valid.
 */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  // Credentials in headers.
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 <masked>'],
  // The user and password of a URL.
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^/\s"'@]+@/gi, '$1<masked>@'],
  // Secret query parameters.
  [/([?&](?:[a-z_-]*token|password|passwd|secret|key|signature)=)[^&\s"'\\]+/gi, '$1<masked>'],
  // JSON Web Tokens.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '<masked>'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g, '<masked>'],
];

/** Returns a line with its secrets masked. */
function hideSecrets(line: string): string {
  let hidden = line;
  for (const [pattern, replacement] of secretTexts) hidden = hidden.replace(pattern, replacement);
  return hidden;
}
