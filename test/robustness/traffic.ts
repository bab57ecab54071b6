import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { Act, TrafficClient } from './traffic-client.ts';
import { askTheFuture, get, list, listPages } from './traffic-reads.ts';
import { apply, create, dryRun, patch, remove, update } from './traffic-writes.ts';

/** How often each kind of request is made, of all. */
const acts: readonly (readonly [number, Act])[] = [
  [16, create],
  [22, update],
  [10, patch],
  [8, apply],
  [12, remove],
  [4, dryRun],
  [18, get],
  [16, list],
  [6, listPages],
  [1, askTheFuture],
];
const allWeights = acts.reduce((sum, [weight]) => sum + weight, 0);

/** Makes one request after the other until the signal aborts. */
export async function runClient(client: TrafficClient, signal: AbortSignal): Promise<void> {
  const { random, servers, intervalMs, name } = client;
  for (let turn = 0; !signal.aborted; turn++) {
    const began = performance.now();
    await drawn(random)(client, random.pick(servers), `${name}-${turn}`);
    const left = intervalMs * (0.5 + random.next()) - (performance.now() - began);
    if (left > 0) await sleep(left, undefined, { signal }).catch(() => undefined);
  }
}

function drawn(random: Random): Act {
  let place = random.next() * allWeights;
  for (const [weight, act] of acts) {
    place -= weight;
    if (place < 0) return act;
  }
  return get;
}
