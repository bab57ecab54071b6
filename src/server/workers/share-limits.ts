import { leastBodyBudgetBytes } from '../server-flags.ts';
import type { ServerOptions } from '../server-options.ts';

/**
 * Limits of the whole server, of which each process has its part; 0 is no limit. Connections are
 * counted where they are given to the processes.
 */
const shared = [
  'maxRequestsInFlight',
  'maxMutatingRequestsInFlight',
  'maxWatchesInFlight',
  'maxAnswerBytes',
] as const satisfies readonly (keyof ServerOptions)[];

/** The options of one of several processes that serve one port. */
export function shareLimits(options: ServerOptions, processes: number): ServerOptions {
  const parts = shared.map((name) => [name, Math.ceil(options[name] / processes)] as const);
  const { maxBodyBytes } = options;
  // A smaller part would refuse every large body.
  const bodyBytes = maxBodyBytes === 0 ? 0 : Math.max(Math.ceil(maxBodyBytes / processes), leastBodyBudgetBytes);
  return { ...options, ...Object.fromEntries(parts), maxBodyBytes: bodyBytes };
}
