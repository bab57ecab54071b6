import { drawSequence, type DrawnSequence, type WeightedArea } from './draw-sequence.ts';
import { minimise } from './minimise.ts';
import type { ComparisonOptions, Finding } from './compare-steps.ts';
import { runSequence, type Servers } from './run-sequence.ts';
import type { Sequence } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** What a run of the fuzzer does. */
export interface FidelityOptions {
  readonly servers: Servers;
  readonly seed: number;
  /** Sequences are begun until they have as many steps together. */
  readonly steps: number;
  readonly areas: readonly WeightedArea[];
  readonly subjects: readonly Subject[];
  readonly comparison?: ComparisonOptions;
  /** Sequences that run at a time. */
  readonly workers: number;
  /** Begins the names of everything that the run makes. */
  readonly run: string;
  /** The longest time for making the first finding of a group small, in milliseconds. */
  readonly minimiseMs: number;
  readonly onFinding?: (group: FindingGroup) => void;
  /** Begins no more sequences once it is aborted. */
  readonly signal?: AbortSignal;
}

/** Findings of one signature. The first is made small, if there is time for it. */
export interface FindingGroup {
  readonly finding: Finding;
  readonly sequence: Sequence;
  readonly seeds: number[];
  readonly kinds: Set<string>;
}

/** What a run came to. */
export interface FidelityReport {
  readonly sequences: number;
  readonly steps: number;
  readonly accepted: number;
  readonly groups: readonly FindingGroup[];
  /** How many sequences met each difference that is meant. */
  readonly known: ReadonlyMap<string, number>;
  /** Steps of each kind, and how many of them the reference took. */
  readonly byKind: ReadonlyMap<string, { readonly steps: number; readonly accepted: number }>;
}

/** Sends random sequences to both servers until enough steps are sent. Sequence i of a run has the seed `seed + i`. */
export async function runFidelity(options: FidelityOptions): Promise<FidelityReport> {
  const groups = new Map<string, FindingGroup>();
  const known = new Map<string, number>();
  const byKind = new Map<string, { steps: number; accepted: number }>();
  const counts = { sequences: 0, steps: 0, accepted: 0 };
  let planned = 0;
  let serial = 0;
  const runOne = ({ subject }: DrawnSequence, sequence: Sequence) =>
    runSequence(
      options.servers,
      sequence,
      { subject, options: options.comparison },
      `${options.run}${(serial++).toString(36)}`,
    );

  const work = async (): Promise<void> => {
    while (planned < options.steps && options.signal?.aborted !== true) {
      const seed = options.seed + counts.sequences++;
      const drawn = drawSequence(seed, options.areas, options.subjects);
      planned += drawn.sequence.steps.length;
      const { steps, accepted, findings, known: rows } = await runOne(drawn, drawn.sequence);
      counts.steps += steps;
      counts.accepted += accepted;
      const ofKind = byKind.get(drawn.subject.key) ?? { steps: 0, accepted: 0 };
      byKind.set(drawn.subject.key, { steps: ofKind.steps + steps, accepted: ofKind.accepted + accepted });
      for (const row of rows) known.set(row, (known.get(row) ?? 0) + 1);
      for (const finding of findings) await keep(drawn, seed, finding);
    }
  };

  const keep = async (drawn: DrawnSequence, seed: number, finding: Finding): Promise<void> => {
    const group = groups.get(finding.signature);
    if (group) {
      group.seeds.push(seed);
      group.kinds.add(drawn.subject.key);
      return;
    }
    const sequence = { ...drawn.sequence, steps: finding.steps };
    const found = { finding, sequence, seeds: [seed], kinds: new Set([drawn.subject.key]) };
    // Before it is made small: other workers may meet the same.
    groups.set(finding.signature, found);
    const run = (smaller: Sequence) => runOne(drawn, smaller);
    const small = { ...found, ...(await smallest(sequence, finding, run, options.minimiseMs)) };
    groups.set(finding.signature, small);
    options.onFinding?.(small);
  };

  await Promise.all(Array.from({ length: options.workers }, work));
  return { ...counts, groups: [...groups.values()], known, byKind };
}

async function smallest(
  sequence: Sequence,
  first: Finding,
  run: (sequence: Sequence) => Promise<{ readonly findings: readonly Finding[] }>,
  withinMs: number,
): Promise<{ readonly finding: Finding; readonly sequence: Sequence }> {
  let finding = first;
  const end = Date.now() + withinMs;
  const small = await minimise(sequence, async (smaller) => {
    if (Date.now() >= end) return false;
    const again = (await run(smaller)).findings.find(({ signature }) => signature === first.signature);
    finding = again ?? finding;
    return again !== undefined;
  });
  return { finding, sequence: small };
}
