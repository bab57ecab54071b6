import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectEtcd } from '../../src/etcd/etcd-client.ts';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { randomFrom } from '../robustness/random.ts';
import { resumedWatch } from '../robustness/resumed-watch.ts';
import { allocatorEnvironment } from '../../src/memory/allocator-environment.ts';
import { startServerProcess } from '../robustness/server-process.ts';
import { runLister } from './load/list-load.ts';
import { runAborter, runSlowReader } from './load/unfinished-load.ts';
import { runWatcher } from './load/watch-load.ts';
import { fillCollection, runRefiller, runWriter } from './load/write-load.ts';
import type { ProcessSample } from './monitor-event-loop.ts';
import { ObjectHistory } from './object-history.ts';
import { type MinuteSummary, ProcessSamples } from './process-samples.ts';
import type { SoakContext } from './soak-context.ts';

/** How long a soak runs, and with which chance. */
export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Called at the end of each minute, with what was done so far. */
  readonly onMinute?: (minute: number, summary: MinuteSummary, counts: ReadonlyMap<string, number>) => void;
}

/** The result of a soak. */
export interface SoakReport {
  readonly faults: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly minutes: readonly MinuteSummary[];
  readonly crashed: boolean;
}

/** States older than this many revisions are forgotten by the model; the load makes some 50 a second. */
const keptRevisions = 30_000;

const protocols = ['http1', 'http2'] as const;

/** Runs a real server on a real etcd under mixed load over HTTP/1.1 and 2, and compares its answers with a model. */
export async function runSoak({ seconds, seed, onMinute }: SoakOptions): Promise<SoakReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-soak-'));
  const etcd = await startLocalEtcd({ dataDir: path.join(directory, 'etcd'), quotaBytes: 2 ** 32 });
  const client = await connectEtcd({ endpoints: [etcd.endpoint] });
  const ending = new AbortController();
  // Every part of the load listens.
  setMaxListeners(0, ending.signal);
  const samples = new ProcessSamples();
  const history = new ObjectHistory();
  const faults: string[] = [];
  const counts = new Map<string, number>();
  // History is what the cache keeps of the past: with a minute of it the server has its full size soon, and what grows later is a leak.
  const server = await startServerProcess({
    environment: allocatorEnvironment(process.env),
    etcdEndpoints: [etcd.endpoint],
    directory,
    flags: ['--watch-history=1m'],
    nodeArguments: ['--import', fileURLToPath(new URL('monitor-event-loop.js', import.meta.url))],
    onMessage: (message) => samples.add(message as ProcessSample),
  });
  const context: SoakContext = {
    target: server,
    history,
    random: randomFrom(seed),
    signal: ending.signal,
    count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    fault: (message) => void faults.push(message),
  };
  try {
    const following = follow(client, history, ending.signal);
    await fillCollection(context);
    samples.restart();
    const load = [following, ...startLoad(context)];
    await runMinutes(seconds, { samples, counts, onMinute });
    ending.abort();
    await Promise.all(load);
    return { faults, counts, minutes: samples.minutes, crashed: server.crashed() };
  } finally {
    ending.abort();
    await server.kill();
    client.close();
    await etcd.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function startLoad(context: SoakContext): Promise<void>[] {
  const ofBoth = protocols.flatMap((protocol) => [
    runWriter(context, protocol, 40),
    runWriter(context, protocol, 40),
    runLister(context, protocol, 120),
    runLister(context, protocol, 120),
    ...Array.from({ length: 10 }, () => runWatcher(context, protocol, 100)),
    runAborter(context, protocol, 200),
    ...Array.from({ length: 5 }, () => runSlowReader(context, protocol, 200)),
  ]);
  return [...ofBoth, runRefiller(context, 4_000)];
}

async function follow(
  client: Awaited<ReturnType<typeof connectEtcd>>,
  history: ObjectHistory,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { revision, events } of resumedWatch(client, signal)) {
      history.record(revision, events);
      if (revision - history.trimmedTo > 2 * keptRevisions) history.trim(revision - keptRevisions);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function runMinutes(
  seconds: number,
  run: {
    readonly samples: ProcessSamples;
    readonly counts: ReadonlyMap<string, number>;
    readonly onMinute: SoakOptions['onMinute'];
  },
): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (let minute = 1; ; minute++) {
    const left = end - performance.now();
    if (left <= 0) return;
    await sleep(Math.min(60_000, left));
    const summary = run.samples.endMinute();
    if (summary) run.onMinute?.(minute, summary, run.counts);
  }
}
