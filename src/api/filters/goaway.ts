import type { Filter } from './filter.ts';

/**
 * Closes the HTTP/2 session of a random share of requests with GOAWAY, which lets open streams
 * finish (`--goaway-chance`). Clients then connect again, and a load balancer spreads them over the
 * servers.
 */
export function goaway(chance: number, random: () => number): Filter {
  return ({ response }) => {
    // A closed stream has no session.
    if (response.stream && random() < chance) response.stream.session?.close();
  };
}
