import { getHeapSnapshot } from 'node:v8';
import type { Exchange } from '../request/exchange.ts';
import { streamResponse } from '../../http-protocol/responses/stream-response.ts';

/**
 * Handles `/debug/heap`: answers a snapshot of the heap (`.heapsnapshot`). V8 stops the process
 * while it takes the snapshot, about a second for each 100 MB. A snapshot contains the stored
 * objects, Secrets included.
 */
export async function sendHeapSnapshot(exchange: Exchange): Promise<void> {
  const body = getHeapSnapshot() as AsyncIterable<Buffer>;
  await streamResponse(exchange, { status: 200, contentType: 'application/json', body });
}
