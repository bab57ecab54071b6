import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { memoize } from '../meta/memoize.ts';

/** A connection without requests is closed after this time; servers keep theirs longer. */
const idleMs = 30_000;

/** How many connections without requests are kept for one server. */
const mostIdle = 8;

/** The connections to further servers are closed first. An entry takes some KB. */
const mostServers = 5_000;

/** Finds the connections to a server by its address; `open` opens the first of them. */
type FindConnections = (address: string, open: () => Promise<Duplex>) => Agent;

/**
 * Keeps connections between requests, so that not each one needs a handshake. Connections with
 * other settings of TLS, such as renewed certificates, are apart.
 */
export function keepAliveAgents(): (tls: object) => FindConnections {
  return memoize(() => {
    const agents = new LRUCache<string, Agent>({ max: mostServers, dispose: closeIdle });
    return (address, open) => {
      let agent = agents.get(address);
      if (!agent) agents.set(address, (agent = new KeptConnections(open)));
      return agent;
    };
  });
}

/** Closes the connections without requests. */
function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

/** The connections to one server. */
class KeptConnections extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxFreeSockets: mostIdle, timeout: idleMs });
    this.#open = open;
  }

  /** Node calls this for a request without a kept connection. */
  override createConnection(
    _options: ClientRequestArgs,
    opened?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#open().then(
      (socket) => opened?.(null, socket),
      // Node ignores the second argument of a failure.
      (error: Error) => opened?.(error, undefined as never),
    );
  }
}
