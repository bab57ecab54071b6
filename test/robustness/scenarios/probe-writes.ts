import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, ApiClient } from '../api-client.ts';

/** What a probe saw. */
export interface Probe {
  /** Writes that were acknowledged. */
  readonly acknowledged: number;
  /** Reads that showed the newest of them. */
  readonly fresh: number;
  /** Reads that did not, each in a sentence. */
  readonly stale: readonly string[];
}

const path = '/api/v1/namespaces/default/endpoints';
const name = 'probe';

interface Written {
  readonly metadata?: { readonly resourceVersion?: string };
}

/** Writes one object again and again through one server, and reads it, consistently, through another. */
export async function probeWrites({
  write,
  read,
  ms,
}: {
  readonly write: Address;
  readonly read: Address;
  readonly ms: number;
}): Promise<Probe> {
  const writer = new ApiClient(write);
  const reader = new ApiClient(read);
  const end = performance.now() + ms;
  const stale: string[] = [];
  const seen = { newest: 0, acknowledged: 0, fresh: 0 };
  const writing = async (): Promise<void> => {
    while (performance.now() < end) {
      const revision = await writeOnce(writer, seen.acknowledged);
      if (revision > 0) seen.acknowledged++;
      seen.newest = Math.max(seen.newest, revision);
      await sleep(50);
    }
  };
  const reading = async (): Promise<void> => {
    while (performance.now() < end) {
      const wanted = seen.newest;
      const { status, revision } = await readOnce(reader);
      if (status === 200 && wanted > 0) {
        if (revision >= wanted) seen.fresh++;
        else stale.push(`a read was answered with revision ${revision} when ${wanted} had been acknowledged`);
      }
      await sleep(50);
    }
  };
  try {
    await Promise.all([writing(), reading(), reading(), reading()]);
    return { acknowledged: seen.acknowledged, fresh: seen.fresh, stale };
  } finally {
    await Promise.all([writer.close(), reader.close()]);
  }
}

async function writeOnce(client: ApiClient, turn: number): Promise<number> {
  const object = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, annotations: { turn: `${turn}-${process.hrtime.bigint()}` } },
  };
  const signal = AbortSignal.timeout(3_000);
  const put = await client.send('PUT', `${path}/${name}`, object, undefined, signal).catch(() => undefined);
  const response =
    put?.status === 404 ? await client.send('POST', path, object, undefined, signal).catch(() => undefined) : put;
  return response?.status === 200 || response?.status === 201 ? revisionOf(response.body) : 0;
}

async function readOnce(client: ApiClient): Promise<{ readonly status: number; readonly revision: number }> {
  const signal = AbortSignal.timeout(3_000);
  const response = await client.send('GET', `${path}/${name}`, undefined, undefined, signal).catch(() => undefined);
  return { status: response?.status ?? 0, revision: revisionOf(response?.body) };
}

function revisionOf(body: unknown): number {
  return Number((body as Written | undefined)?.metadata?.resourceVersion ?? 0);
}
