import { bulkPath, writeBulk } from '../bulk-objects.ts';
import type { ApiClient } from '../api-client.ts';
import { openRawWatch } from '../raw-watch.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';

/** F29: others go on meanwhile, and a client that goes away ends the work for it. */
export const listsAreLarge: Scenario = {
  name: 'when lists have fifty thousand objects',
  given: {},
  rate: 60,
  // Fifty thousand writes behind its back are much for a server on a busy machine.
  errorsExpected: true,
  fault: async (context) => {
    const { client, report } = context;
    const count = rounds(50_000, context);
    await writeBulk(context.etcd, count, 1_000);
    await mustCount(context, bulkPath, count);
    const { bytes } = await client.measure(bulkPath);
    const latencies: number[] = [];
    const done = new AbortController();
    const probing = probe(client, latencies, done.signal);
    for (let turn = 0; turn < rounds(6, context); turn++) {
      const gone = AbortSignal.timeout(context.random.between(5, 100));
      await Promise.all([
        mustMeasure(context, bulkPath, bytes),
        mustMeasure(context, `${bulkPath}?resourceVersion=0`, bytes),
        mustMeasure(context, `${bulkPath}?fieldSelector=type%3DOpaque`, bytes),
        client.send('GET', bulkPath, undefined, '', gone).catch(() => undefined),
      ]);
    }
    done.abort();
    await probing;
    const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
    if (p99 > 1_500) report({ promise: 'P29', message: `a GET took ${Math.round(p99)} ms (p99) beside the lists` });
  },
};

async function probe(client: ApiClient, latencies: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    await client.send('GET', '/api/v1/namespaces/default');
    latencies.push(performance.now() - began);
    await pause(20);
  }
}

async function mustCount({ client, report }: FaultContext, path: string, count: number): Promise<void> {
  const { status, body } = await client.send('GET', path);
  const items = (body as { items?: readonly unknown[] } | undefined)?.items?.length;
  if (status !== 200 || items !== count) report({ promise: 'P1', message: `${path}: ${status}, ${items} of ${count}` });
}

async function mustMeasure({ client, report }: FaultContext, path: string, expected: number): Promise<void> {
  const { status, bytes } = await client.measure(path);
  // The digits of the list's own resourceVersion may be more.
  const right = status === 200 && Math.abs(bytes - expected) < 10;
  if (!right) report({ promise: 'P1', message: `${path}: ${status}, ${bytes} bytes of ${expected}` });
}

/** F31: everybody is answered in the end, or told to come back. */
export const listsStorm: Scenario = {
  name: 'when everybody lists while the cache lags',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const [way] = context.ways.flat();
    for (let round = 0; round < rounds(3, context); round++) {
      way?.interrupt();
      const lists = Array.from({ length: 200 }, () =>
        context.client.send('GET', '/api/v1/configmaps').catch(() => undefined),
      );
      await pause(4_500);
      way?.mend();
      for (const response of await Promise.all(lists)) {
        const fine = response !== undefined && [200, 429, 500, 503, 504].includes(response.status);
        if (!fine) context.report({ promise: 'P29', message: `a list of the storm was answered ${response?.status}` });
      }
      await pause(1_000);
    }
  },
};

/** Enough for the server to start, which opens all its modules at once. */
const openFiles = 600;

/** F50: those who come too late wait or are refused; the server lives on. */
export const filesRunOut: Scenario = {
  name: 'when the server may open no more files',
  given: { openFiles },
  errorsExpected: true,
  fault: async ({ client, report }) => {
    const path = '/api/v1/configmaps?watch=1';
    const opening = Array.from({ length: openFiles + 100 }, () =>
      Promise.race([openRawWatch(client.address, path).catch(() => undefined), pause(10_000)]),
    );
    const watches = await Promise.all(opening);
    await pause(2_000);
    for (const watch of watches) watch?.close();
    await pause(2_000);
    const { status } = await client.send('GET', '/livez');
    if (status !== 200) report({ promise: 'P29', message: `/livez is answered ${status} afterwards` });
  },
};
