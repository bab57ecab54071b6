import { badRequest, methodNotAllowed, StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { getHeapSnapshot } from 'node:v8';
import { streamResponse } from '../../http-protocol/responses/stream-response.ts';
import type { Session } from 'node:inspector/promises';
import { pause } from '../../async/timers.ts';
import { sendBytes } from '../../http-protocol/responses/send-bytes.ts';

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

/** The duration of a profile without `seconds`, as in kube-apiserver. */
const defaultSeconds = 30;

/** The maximum duration: shorter than the default deadline of requests. */
const maxSeconds = 55;

/** The sampling interval; the overhead is a few percent. */
const samplingIntervalMicros = 1_000;

/**
 * Handles `/debug/profile?seconds=N`: sends a CPU profile of V8 (`.cpuprofile`) of the next N
 * seconds. The profile ends early if the client disconnects or the deadline passes.
 */
async function sendCpuProfile(exchange: Exchange): Promise<void> {
  const seconds = secondsOf(exchange);
  // Loaded on first use, because most servers are never profiled.
  const { Session: InspectorSession } = await import('node:inspector/promises');
  const session = new InspectorSession();
  session.connect();
  try {
    const body = Buffer.from(JSON.stringify(await profileFor(session, seconds, exchange.signal)));
    exchange.signal.throwIfAborted();
    const headers = { 'Content-Disposition': 'attachment; filename="profile.cpuprofile"' };
    await sendBytes(exchange, { status: 200, contentType: 'application/json', body, headers });
  } finally {
    // Also stops the profiler if it is still running.
    session.disconnect();
  }
}

function secondsOf({ query }: Exchange): number {
  const text = query.get('seconds') || String(defaultSeconds);
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= maxSeconds) return seconds;
  throw badRequest(`invalid parameter seconds: use an integer from 1 to ${maxSeconds}`);
}

async function profileFor(session: Session, seconds: number, signal: AbortSignal): Promise<object> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingIntervalMicros });
  await session.post('Profiler.start');
  await pause(seconds * 1_000, signal);
  const { profile } = await session.post('Profiler.stop');
  return profile;
}
