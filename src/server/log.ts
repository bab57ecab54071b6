import { type Logger, pino } from 'pino';
import type { ServerOptions } from './server-options.ts';

/** What may never reach a log, wherever it stands in a record. */
const secrets = ['authorization', 'token', 'headers.authorization', 'request.headers.authorization'];

/** A log, and whether a record can still be written to it. */
interface ServerLog {
  readonly log: Logger;
  readonly isWritable: () => boolean;
}

/** The server's log: one JSON record a line on standard error. */
export function createLog(level: ServerOptions['logLevel']): ServerLog {
  const destination = pino.destination({ dest: 2, sync: true });
  const log = pino({ level, redact: secrets, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  let broken = false;
  destination.on('error', () => (broken = true));
  destination.on('close', () => (broken = true));
  return { log, isWritable: () => !broken };
}
