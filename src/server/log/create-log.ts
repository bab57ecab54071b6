import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogComponent } from '../../config/flags/log-components.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { levelOf } from './log-levels.ts';
import { logText } from './log-text.ts';
import { RepeatedLines, windowMs } from './repeated-lines.ts';

/** Fields that are redacted in log records. */
const secrets = ['authorization', 'token', 'headers.authorization', 'request.headers.authorization'];

/** A log, and the state of its output. */
interface ServerLog {
  /** Returns the log of a component, with its name and verbosity. */
  of(component: LogComponent): Logger;
  readonly isWritable: () => boolean;
}

/** Options of the log. */
type LogOptions = Pick<ServerOptions, 'logLevel' | 'loggingFormat' | 'logVerbosity' | 'logVerbosityByComponent'>;

/** An output for log lines. */
interface LogFile extends DestinationStream {
  on?(event: 'error' | 'close', listener: () => void): unknown;
}

/**
 * Creates the server's log: a record per line on standard error, as JSON or as text. Repeated lines
 * are limited, and secrets are masked.
 */
export function createLog(options: LogOptions, file: LogFile = pino.destination({ dest: 2, sync: true })): ServerLog {
  let broken = false;
  file.on?.('error', () => (broken = true));
  file.on?.('close', () => (broken = true));
  const repeated = new RepeatedLines();
  let timer: NodeJS.Timeout | undefined;
  const endWindow = (): void => {
    timer = undefined;
    for (const { text, count } of repeated.next()) {
      unlimited.info({ suppressed: count, text }, 'log lines were left out because they repeat themselves');
    }
  };
  const isTaken = (text: string): boolean => {
    timer ??= setTimeout(endWindow, windowMs).unref();
    return repeated.take(text);
  };
  const destination: DestinationStream = { write: (line) => file.write(formatted(line, options.loggingFormat)) };
  const common = {
    redact: secrets,
    base: undefined,
    timestamp: () => `,"ts":${Date.now()}`,
    formatters: { level: (level: string) => (level === 'error' ? { level } : { level, v: level === 'debug' ? 4 : 0 }) },
  };
  const unlimited = pino({ ...common, level: options.logLevel }, destination);
  const limited = pino(
    {
      ...common,
      level: options.logLevel,
      hooks: {
        logMethod(args, method) {
          const text = args.find((arg): arg is string => typeof arg === 'string') ?? '';
          // Lines of requests are never limited. Traces of slow requests count as one text.
          if (text === 'HTTP' || isTaken(text.startsWith('Trace[') ? 'Trace' : text)) method.apply(this, args);
        },
      },
    },
    destination,
  );
  const logs = new Map<LogComponent, Logger>();
  return {
    of(component) {
      const known = logs.get(component);
      if (known) return known;
      const log = limited.child({ logger: component }, { level: levelOf(options, component) });
      logs.set(component, log);
      return log;
    },
    isWritable: () => !broken,
  };
}

function formatted(line: string, format: ServerOptions['loggingFormat']): string {
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
