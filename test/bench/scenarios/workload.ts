import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contender, type Figures, median } from '../figures.ts';
import type { Lab, Subject } from '../lab.ts';
import { cpuSeconds, residentBytes } from '../process-usage.ts';
import { startPrograms } from '../workload/programs.ts';
import { replayWorkload, type SampleResponses, type WorkloadSize } from '../workload/replay.ts';
import type { Bench, Scenario } from './scenario.ts';

const phases = ['cold', 'warm'] as const;

/** The figures of a new process, and of the same process when the work is done again. */
type PhaseFigures = Readonly<Record<(typeof phases)[number], Figures>>;

/** The flags of the kube-apiserver that it is compared with (`BENCH_PEER`). */
const flags: readonly string[] = [
  '--identifiers=kubernetes',
  '--emulated-release=1.20',
  '--disable-admission-plugins=ServiceAccount',
  '--enable-priority-and-fairness=false',
  '--max-requests-inflight=0',
  '--max-mutating-requests-inflight=0',
];

/**
 * Deployments that a controller manager, a scheduler and two nodes bring to their pods: the
 * requests of unmodified programs, without them. Each round has a new server, and a new bare
 * program; a peer is new in the first round at most.
 */
export const workload: Scenario = {
  name: 'workload',
  async run(bench) {
    const { lab } = bench;
    const { quick, rounds } = lab.settings;
    const size: WorkloadSize = quick ? { deployments: 4, replicas: 10 } : { deployments: 20, replicas: 20 };
    const taken: Record<Contender, PhaseFigures[]> = { ours: [], bare: [], peer: [] };
    for (let round = 0; round < rounds; round++) {
      taken.ours.push(await measureOurs(lab, round, size));
      taken.bare.push(await measureBare(lab, size));
      const peer = lab.servers.find(({ contender }) => contender === 'peer');
      if (peer) taken.peer.push(await measure(peer, size, new Map()));
    }
    reportAll(bench, size, taken);
  },
};

async function measureOurs(lab: Lab, round: number, size: WorkloadSize): Promise<PhaseFigures> {
  const server = await lab.startServer(`/workload-${round}`, ...flags);
  const samples: SampleResponses = new Map();
  const figures = await measure(server, size, samples);
  await lab.stopSubject(server);
  for (const [shape, response] of samples) await keepResponse(lab, shape, response);
  return figures;
}

async function measureBare(lab: Lab, size: WorkloadSize): Promise<PhaseFigures> {
  const bare = await lab.startBare('workload', path.join(lab.directory, 'responses'), lab.etcd.endpoint);
  const figures = await measure(bare, size, new Map());
  await lab.stopSubject(bare);
  return figures;
}

function keepResponse(lab: Lab, shape: string, response: Buffer): Promise<void> {
  return writeFile(path.join(lab.directory, 'responses', encodeURIComponent(shape)), response);
}

async function measure(subject: Subject, size: WorkloadSize, samples: SampleResponses): Promise<PhaseFigures> {
  const programs = await startPrograms(subject);
  const pods = size.deployments * size.replicas;
  const run = async (): Promise<Figures> => {
    const namespace = `workload-${Date.now().toString(36)}`;
    const eventsBefore = programs.podWatch.events;
    const cpuBefore = cpuSeconds(subject.pid);
    const start = performance.now();
    await replayWorkload(programs, namespace, size, samples);
    const tookMs = performance.now() - start;
    // Created, bound, running: the events belong to the work.
    for (let waited = 0; programs.podWatch.events - eventsBefore < 3 * pods && waited < 250; waited++) await sleep(20);
    return {
      operationsPerSecond: pods / (tookMs / 1_000),
      p50Ms: tookMs,
      cpuMicros: ((cpuSeconds(subject.pid) - cpuBefore) / pods) * 1e6,
      residentBytes: residentBytes(subject.pid),
    };
  };
  try {
    return { cold: await run(), warm: await run() };
  } finally {
    await programs.close();
  }
}

const compared = ['cpuMicros', 'p50Ms', 'residentBytes'] as const;
const subjects: Readonly<Record<(typeof compared)[number], string>> = {
  cpuMicros: 'CPU a pod',
  p50Ms: 'time until all are available',
  residentBytes: 'memory',
};

function reportAll(
  { report }: Bench,
  { deployments, replicas }: WorkloadSize,
  taken: Readonly<Record<Contender, readonly PhaseFigures[]>>,
): void {
  for (const phase of phases) {
    for (const figure of compared) {
      const figures = Object.fromEntries(
        Object.entries(taken)
          .filter(([, rounds]) => rounds.length > 0)
          .map(([contender, rounds]) => {
            // Only the first round of a peer can be cold.
            const counted = contender === 'peer' && phase === 'cold' ? rounds.slice(0, 1) : rounds;
            return [
              contender,
              median(
                counted.map((round) => round[phase]),
                figure,
              ),
            ];
          }),
      );
      const scenario = `workload-${phase}, ${subjects[figure]}`;
      report({ scenario, figures, compared: figure, note: `${deployments * replicas} pods` });
    }
  }
}
