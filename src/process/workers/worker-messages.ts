import type { FamilySnapshot } from '../../metrics/family-snapshot.ts';
import type { ConnectionNumbers } from '../../config/siblings.ts';

/** The environment variable with the number of a worker's place. */
export const slotVariable = 'CL_APISERVER_WORKER';

/** The environment variable that identifies the start of all workers. */
export const startVariable = 'CL_APISERVER_START';

/** The number of this worker's place, from 1; undefined for a process that is no worker. */
export function workerSlot(): string | undefined {
  return process.connected ? process.env[slotVariable] : undefined;
}

/** The metrics of a process. */
type Snapshots = readonly FamilySnapshot[];

/** A message of a worker to the process that started it. */
export type WorkerMessage =
  /** The worker will serve at this address, and requests its connections. */
  | {
      readonly type: 'listen';
      readonly address: string;
      readonly port: number;
      readonly limits: ConnectionNumbers;
    }
  /** The worker serves at this URL. */
  | { readonly type: 'serving'; readonly url: string }
  /** The worker has accepted a connection. */
  | { readonly type: 'accepted'; readonly id: number }
  /** One of its connections has ended. */
  | { readonly type: 'closed'; readonly id: number }
  /** The worker requests the metrics of the other workers, and sends its own. */
  | { readonly type: 'gather'; readonly id: number; readonly metrics: Snapshots }
  /** The worker has stopped; these are its last metrics. */
  | { readonly type: 'leaving'; readonly metrics: Snapshots }
  /** The metrics of the worker, as requested by `sample`. */
  | { readonly type: 'sampled'; readonly id: number; readonly metrics: Snapshots };

/** A message to a worker. */
export type WorkerCommand =
  /** The port is open; `error` is the reason if it is not. */
  | { readonly type: 'listening'; readonly port: number; readonly error?: string }
  /** Serve the connection that comes with this message. */
  | { readonly type: 'connection'; readonly id: number }
  /** Stop gracefully; `last` if no other process serves at this address afterwards. */
  | { readonly type: 'stop'; readonly last: boolean }
  /** Send the present metrics. */
  | { readonly type: 'sample'; readonly id: number }
  /** The metrics of the other workers, as asked for by `gather`. */
  | { readonly type: 'gathered'; readonly id: number; readonly metrics: readonly Snapshots[] };
