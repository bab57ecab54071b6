import { type Logger, pino } from 'pino';
import type { ServerOptions } from '../config/server-options.ts';

/** Fields that are redacted in log records. */
const secrets = ['authorization', 'token', 'headers.authorization', 'request.headers.authorization'];

/** A log and its state. */
interface ServerLog {
  readonly log: Logger;
  readonly isWritable: () => boolean;
}

/** Creates the server's log: one JSON record per line on standard error. */
export function createLog(level: ServerOptions['logLevel']): ServerLog {
  const destination = pino.destination({ dest: 2, sync: true });
  const log = pino({ level, redact: secrets, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  let broken = false;
  destination.on('error', () => (broken = true));
  destination.on('close', () => (broken = true));
  return { log, isWritable: () => !broken };
}
