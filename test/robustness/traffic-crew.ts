import type { ApiClient } from './api-client.ts';
import { everything, type History, type Scope } from './history.ts';
import type { Random } from './random.ts';
import { runClient } from './traffic.ts';
import { Knowledge, type TrafficClient } from './traffic-client.ts';
import { runReflector, runWatcher } from './watchers.ts';

interface CrewOptions {
  readonly servers: readonly ApiClient[];
  readonly history: History;
  readonly random: Random;
  /** Requests a second that all clients together try to make. */
  readonly rate: number;
}

/** All clients of a run at their work. */
export interface TrafficCrew {
  readonly knowledge: Knowledge;
  /** Lets the requests under way finish and makes no more. */
  stopRequests(): Promise<void>;
  /** Ends the watches. */
  stopWatches(): Promise<void>;
}

const clients = 8;
const watchers = 5;
const reflectedScopes: readonly Scope[] = [
  everything,
  { ...everything, namespace: 'default' },
  { ...everything, color: 'red' },
];

/** Sets eight clients to work on ten keys, with watchers that come and go and reflectors that stay. */
export function startTraffic({ servers, history, random, rate }: CrewOptions): TrafficCrew {
  const knowledge = new Knowledge();
  const requests = new AbortController();
  const watches = new AbortController();
  const intervalMs = (1_000 * clients) / rate;
  const newClient = (name: string): TrafficClient => ({
    name,
    servers,
    random: random.fork(name),
    knowledge,
    history,
    intervalMs,
  });
  const requesting = ids(clients).map((id) => runClient(newClient(`c${id}`), requests.signal));
  const watching = [
    ...ids(watchers).map((id) => runWatcher(newClient(`w${id}`), watches.signal)),
    ...reflectedScopes.map((scope, id) => runReflector(newClient(`r${id}`), scope, watches.signal)),
  ];
  const stop = async (controller: AbortController, running: readonly Promise<void>[]): Promise<void> => {
    controller.abort();
    await Promise.all(running);
  };
  return {
    knowledge,
    stopRequests: () => stop(requests, requesting),
    stopWatches: () => stop(watches, watching),
  };
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
