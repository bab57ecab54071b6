import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import type { Session } from '../../find-type.ts';

/** The result of a check. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  /** One line. */
  readonly message: string;
  /** The next step; absent if all is well. */
  readonly advice?: string;
}

/** A session, and what all checks read. */
export interface Examination extends Session {
  readonly client: Client;
  readonly resources: readonly DiscoveredResource[];
  readonly nowMs: number;
  /** Takes note of a type of which only the first objects were read. */
  readonly onPart: (type: string, read: number) => void;
}

/** A check of one thing. It throws if it cannot find out. */
export type Check = (examination: Examination) => Promise<readonly Finding[]>;

/** A finding that all is well. */
export function ok(message: string): Finding {
  return { level: 'ok', message };
}

/** A finding that will become an error, or that hurts a part. */
export function warning(message: string, advice: string): Finding {
  return { level: 'warning', message, advice };
}

/** A finding that something does not work. */
export function error(message: string, advice: string): Finding {
  return { level: 'error', message, advice };
}

const dayMs = 24 * 3600_000;
const soonMs = 14 * dayMs;

/** The finding of a time at which something ceases to be valid. */
export function expiry(what: string, endMs: number, nowMs: number, advice: string): Finding {
  const days = Math.floor(Math.abs(endMs - nowMs) / dayMs);
  if (endMs <= nowMs) return error(`${what} expired ${days} days ago`, advice);
  if (endMs - nowMs < soonMs) return warning(`${what} expires in ${days} days`, advice);
  return ok(`${what} is valid for ${days} days`);
}
