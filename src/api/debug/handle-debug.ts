import { methodNotAllowed, StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendCpuProfile } from './cpu-profile.ts';
import { getHeapSnapshot } from 'node:v8';
import { streamResponse } from '../../http-protocol/responses/stream-response.ts';

type DebugHandler = (exchange: Exchange) => Promise<void>;

/** The paths of profiling and their handlers. */
const handlers: ReadonlyMap<string, DebugHandler> = new Map([
  ['/debug/heap', sendHeapSnapshot],
  ['/debug/profile', sendCpuProfile],
]);

/** The time after which a client may repeat a refused request. */
const retryAfterSeconds = 10;

/**
 * Creates the handlers of the paths of profiling. They profile one request at a time and answer 429
 * to others, because profiles of the same time disturb each other and add up.
 */
export function debugHandlers(): ReadonlyMap<string, DebugHandler> {
  let isBusy = false;
  const exclusively =
    (handle: DebugHandler): DebugHandler =>
    async (exchange) => {
      if (exchange.request.method !== 'GET') throw methodNotAllowed();
      if (isBusy) throw busy();
      isBusy = true;
      try {
        await handle(exchange);
      } finally {
        isBusy = false;
      }
    };
  return new Map([...handlers].map(([path, handle]) => [path, exclusively(handle)]));
}

function busy(): StatusError {
  return new StatusError('TooManyRequests', 'another profile is being made, please try again later.', {
    details: { retryAfterSeconds },
  });
}

/**
 * Handles `/debug/heap`: answers a snapshot of the heap (`.heapsnapshot`). V8 stops the process
 * while it takes the snapshot, about a second for each 100 MB. A snapshot contains the stored
 * objects, Secrets included.
 */
async function sendHeapSnapshot(exchange: Exchange): Promise<void> {
  const body = getHeapSnapshot() as AsyncIterable<Buffer>;
  await streamResponse(exchange, { status: 200, contentType: 'application/json', body });
}
