import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLocalEtcd } from '../../../src/etcd/local-etcd.ts';
import { allocatorEnvironment } from '../../../src/memory/allocator-environment.ts';
import { startServerProcess } from '../../robustness/server-process.ts';
import type { ProcessSample } from '../monitor-event-loop.ts';
import { type MinuteSummary, ProcessSamples } from '../process-samples.ts';
import { useDefinitions } from './use-definitions.ts';

/** How many definitions come and go, how often, and how long the server is left alone afterwards. */
export interface DefinitionSoak {
  readonly kinds: number;
  readonly rounds: number;
  readonly quietMinutes: number;
  /** Called with the memory at each step: the start, each round while its kinds are used and after it, each minute. */
  readonly onStep: (step: string, memory: MinuteSummary) => void;
}

/** The resident size of the server in bytes. */
export interface DefinitionReport {
  readonly start: number;
  readonly end: number;
}

/** The start that is the measure: the server has finished what it does then. */
const startMs = 20_000;
/** For several samples of a second. */
const stepMs = 4_000;

/** Adds, uses and removes definitions on a real server with a real etcd, then leaves it alone, and reports its memory. */
export async function runDefinitions({
  kinds,
  rounds,
  quietMinutes,
  onStep,
}: DefinitionSoak): Promise<DefinitionReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-soak-definitions-'));
  const etcd = await startLocalEtcd({ dataDir: path.join(directory, 'etcd'), quotaBytes: 2 ** 32 });
  const samples = new ProcessSamples();
  const server = await startServerProcess({
    etcdEndpoints: [etcd.endpoint],
    directory,
    flags: [],
    environment: allocatorEnvironment(process.env),
    nodeArguments: ['--import', fileURLToPath(new URL('../monitor-event-loop.js', import.meta.url))],
    onMessage: (message) => samples.add(message as ProcessSample),
  });
  const measure = async (step: string, ms: number): Promise<number> => {
    samples.restart();
    await sleep(ms);
    const memory = samples.endMinute();
    if (!memory) throw new Error('the server reports nothing about itself');
    onStep(step, memory);
    return memory.rss;
  };
  try {
    const start = await measure('start', startMs);
    for (let round = 1; round <= rounds; round++) {
      await useDefinitions(server, { group: `round${round}.example.com`, kinds });
      await measure(`round ${round}`, stepMs);
    }
    let end = start;
    for (let minute = 1; minute <= quietMinutes; minute++) end = await measure(`minute ${minute}`, 60_000);
    return { start, end };
  } finally {
    await server.kill();
    await etcd.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
