import { setMaxListeners } from 'node:events';
import type { ApiClient } from '../api-client.ts';
import type { Finding } from '../history.ts';
import type { Random } from '../random.ts';
import { creationRace, finalizerRace, successionRace } from './birth-race.ts';
import { counterRaces } from './counter-race.ts';
import type { Race } from './race.ts';
import { ownKeysRace, sharedObjectRace } from './shared-object-race.ts';

/** Races under way. */
export interface Races {
  /** Lets the writes under way finish and makes no more. */
  stop(): Promise<void>;
  /** What was found broken; to be asked when nothing fails any more. */
  verify(): Promise<readonly Finding[]>;
}

/** Starts every race (P2, P3, P4, P24), its runners spread over the clients. */
export function startRaces(clients: readonly ApiClient[], random: Random): Races {
  const races: readonly Race[] = [
    ...counterRaces(),
    sharedObjectRace(),
    ownKeysRace(),
    creationRace(),
    successionRace(),
    finalizerRace(),
  ];
  const stop = new AbortController();
  // Each runner that rests listens.
  setMaxListeners(0, stop.signal);
  const [first] = clients;
  if (!first) throw new RangeError('races need a server');
  const running = races.flatMap((race, i) =>
    Array.from({ length: race.runners }, (_, id) => {
      const client = clients[(i + id) % clients.length] ?? first;
      return race.run({ id, client, random: random.fork(`race-${i}-${id}`), signal: stop.signal });
    }),
  );
  return {
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
    async verify() {
      return (await Promise.all(races.map((race) => race.verify(first)))).flat();
    },
  };
}
