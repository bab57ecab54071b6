import type { ServerOptions } from '../server-options.ts';

/** Limits of the whole server, of which each process has its part; 0 is no limit. */
const shared = [
  'maxConnections',
  'maxConnectionsPerAddress',
  'maxRequestsInFlight',
  'maxMutatingRequestsInFlight',
  'maxWatchesInFlight',
  'maxBodyBytes',
  'maxAnswerBytes',
] as const satisfies readonly (keyof ServerOptions)[];

/** The options of one of several processes that serve one port. */
export function shareLimits(options: ServerOptions, processes: number): ServerOptions {
  const parts = shared.map((name) => [name, Math.ceil(options[name] / processes)] as const);
  return { ...options, ...Object.fromEntries(parts) };
}
