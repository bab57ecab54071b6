// Stand-in nodes and many pods in one process with their server on the memory store, measured from inside. Arguments: how many nodes, how
// many pods. Prints JSON; the steps on the way go to stderr.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../src/client/index.ts';
import { startServer } from '../../src/testing/index.ts';
import { eachOf } from './load/press.ts';

/** What a crowd of pods took. */
export interface CrowdFigures {
  readonly elapsedMs: number;
  /** CPU of the process until the nodes were ready. */
  readonly nodesCpuMs: number;
  /** CPU of the process for each pod, from its create until it runs, in each step. */
  readonly cpuMicros: readonly number[];
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** CPU in one second of the crowd that only renews its leases. */
  readonly idleCpuMicros: number;
}

/** The parts in which pods are created, of which each is measured. */
const steps = 10;

/** The time after which the last work is done, and that in which CPU is counted. */
const settleMs = 5_000;
const idleMs = 10_000;

/** Leases are renewed four times in this period: on a busy machine the default would cost more than the pods. */
const graceMs = Number(process.env['BENCH_GRACE_SECONDS'] ?? 600) * 1000;

const pods = { group: '', version: 'v1', resource: 'pods' };

const [nodes = 0, number = 0] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(await measureCrowd(nodes, number)));

async function measureCrowd(nodeCount: number, podCount: number): Promise<CrowdFigures> {
  const begin = performance.now();
  const atStart = process.cpuUsage();
  const controllerOptions = { 'node-monitor-grace-period': graceMs };
  await using server = await startServer({ logLevel: 'error', nodes: nodeCount, controllerOptions });
  const nodesCpuMs = cpuSince(atStart) / 1000;
  const client = createClient(server.connection);
  const stop = new AbortController();
  const running = followRunning(client, stop.signal);
  const cpuMicros: number[] = [];
  const size = Math.ceil(podCount / steps);
  for (let step = 0; step < steps; step++) {
    const before = process.cpuUsage();
    const startMs = performance.now();
    const resource = client.resource(pods);
    await eachOf(size, 16, (index) => resource.create(newPod(step * size + index)));
    while (running.size < (step + 1) * size) await sleep(20);
    cpuMicros.push(cpuSince(before) / size);
    report((step + 1) * size, cpuMicros.at(-1) ?? 0, performance.now() - startMs);
  }
  const elapsedMs = performance.now() - begin;
  await sleep(settleMs);
  const before = process.cpuUsage();
  await sleep(idleMs);
  const idleCpuMicros = (1000 * cpuSince(before)) / idleMs;
  const { rss, heapUsed } = process.memoryUsage();
  stop.abort();
  await client.close();
  return { elapsedMs, nodesCpuMs, cpuMicros, residentBytes: rss, heapBytes: heapUsed, idleCpuMicros };
}

function report(count: number, cpuMicros: number, elapsedMs: number): void {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  console.error(
    `${count} pods: ${(cpuMicros / 1000).toFixed(2)} ms of CPU for each, ${(elapsedMs / 1000).toFixed(1)} s, rss ${mib(rss)}, ` +
      `heap ${mib(heapUsed)}, external ${mib(external)}, buffers ${mib(arrayBuffers)}`,
  );
}

/** The names of the pods that have been seen running. */
function followRunning(client: Client, signal: AbortSignal): ReadonlySet<string> {
  const running = new Set<string>();
  const follow = async (): Promise<void> => {
    const selected = client.resource(pods).watch({ fieldSelector: 'status.phase=Running', signal });
    for await (const { object } of selected) running.add(object.metadata?.name ?? '');
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) console.error(error);
  });
  return running;
}

/** Fifty pods are one application. */
function newPod(index: number) {
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  const spec = { containers: [{ name: 'web', image: 'example.com/web:1', resources }] };
  const labels = { app: `web-${Math.floor(index / 50)}` };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${index}`, namespace: 'default', labels }, spec };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
