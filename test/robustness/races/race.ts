import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse, ApiClient } from '../api-client.ts';
import type { Finding } from '../history.ts';
import type { Random } from '../random.ts';

/** What one runner of a race works with. */
export interface Runner {
  /** Its number among the runners of the race. */
  readonly id: number;
  readonly client: ApiClient;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Writers who contend for the same objects, and what must hold of these afterwards, whatever failed meanwhile. */
export interface Race {
  readonly runners: number;
  /** Runs until the signal aborts. */
  readonly run: (runner: Runner) => Promise<void>;
  /** What must hold when nothing fails any more and nobody writes. */
  readonly verify: (client: ApiClient) => Promise<readonly Finding[]>;
}

/** Secrets, which nobody else in a run looks at; what races write stands in annotations. */
export const racePath = '/api/v1/namespaces/other/secrets';

/** The parts of such an object that races look at. */
export interface RacedObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly {
      readonly manager: string;
      readonly operation: string;
      readonly fieldsV1: { readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> } };
    }[];
  };
}

/** An object as it is sent. */
export function raced(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, name } };
}

/** What came of a write: it took place, it surely did not, or nobody knows. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** A write and its outcome. */
export interface Written {
  readonly outcome: Outcome;
  readonly object: RacedObject | undefined;
}

/** Sends a write, and tells what came of it. */
export async function sendWrite(send: () => Promise<ApiResponse>): Promise<Written> {
  const response = await send().catch(() => undefined);
  if (!response || response.status >= 500) return { outcome: 'unknown', object: undefined };
  // Below 300 the answer is the object, or names what was deleted.
  if (response.status < 300) return { outcome: 'acknowledged', object: response.body as RacedObject };
  return { outcome: 'refused', object: undefined };
}

const readAttempts = 40;

/** The newest state of an object; undefined where it is not there. Tries for some seconds, then gives up with `unread`. */
export async function readNow(client: ApiClient, name: string): Promise<RacedObject | undefined | 'unread'> {
  for (let attempt = 0; attempt < readAttempts; attempt++) {
    const response = await client.send('GET', `${racePath}/${name}`).catch(() => undefined);
    // The answer to a get is the object.
    if (response?.status === 200) return response.body as RacedObject;
    if (response?.status === 404) return undefined;
    await sleep(250);
  }
  return 'unread';
}

/** Between two turns of a runner, so that the machine has time for others. */
export async function rest({ random, signal }: Runner): Promise<void> {
  await sleep(random.between(80, 200), undefined, { signal }).catch(() => undefined);
}
