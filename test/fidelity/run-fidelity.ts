import { drawSequence, type DrawnSequence, type WeightedArea } from './draw-sequence.ts';
import { minimise } from './minimise.ts';
import { type Finding, runSequence, type Servers } from './run-sequence.ts';
import type { Sequence } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** What a run of the fuzzer does. */
export interface FidelityOptions {
  readonly servers: Servers;
  readonly seed: number;
  /** A run ends with the first sequence by which it has sent so many steps. */
  readonly steps: number;
  readonly areas: readonly WeightedArea[];
  readonly subjects: readonly Subject[];
  /** Sequences that run at a time. */
  readonly workers: number;
  /** Begins the names of everything that the run makes. */
  readonly run: string;
  readonly onFinding?: (group: FindingGroup) => void;
}

/** Findings of one signature. The first is made small. */
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
  let serial = 0;
  const runOne = ({ subject }: DrawnSequence, sequence: Sequence) =>
    runSequence(options.servers, sequence, subject, `${options.run}${(serial++).toString(36)}`);

  const work = async (): Promise<void> => {
    while (counts.steps < options.steps) {
      const seed = options.seed + counts.sequences++;
      const drawn = drawSequence(seed, options.areas, options.subjects);
      const { steps, accepted, finding, known: rows } = await runOne(drawn, drawn.sequence);
      counts.steps += steps;
      counts.accepted += accepted;
      const ofKind = byKind.get(drawn.subject.key) ?? { steps: 0, accepted: 0 };
      byKind.set(drawn.subject.key, { steps: ofKind.steps + steps, accepted: ofKind.accepted + accepted });
      for (const row of rows) known.set(row, (known.get(row) ?? 0) + 1);
      if (finding) await keep(drawn, seed, finding);
    }
  };

  const keep = async (drawn: DrawnSequence, seed: number, finding: Finding): Promise<void> => {
    const group = groups.get(finding.signature);
    if (group) {
      group.seeds.push(seed);
      group.kinds.add(drawn.subject.key);
      return;
    }
    const found = { finding, sequence: drawn.sequence, seeds: [seed], kinds: new Set([drawn.subject.key]) };
    // Before it is made small: other workers may meet the same.
    groups.set(finding.signature, found);
    const small = await smallest(drawn, finding, (sequence) => runOne(drawn, sequence));
    groups.set(finding.signature, { ...found, ...small });
    options.onFinding?.({ ...found, ...small });
  };

  await Promise.all(Array.from({ length: options.workers }, work));
  return { ...counts, groups: [...groups.values()], known, byKind };
}

async function smallest(
  { sequence }: DrawnSequence,
  first: Finding,
  run: (sequence: Sequence) => Promise<{ readonly finding?: Finding }>,
): Promise<{ readonly finding: Finding; readonly sequence: Sequence }> {
  let finding = first;
  const until = { ...sequence, steps: sequence.steps.slice(0, first.index + 1) };
  const small = await minimise(until, async (smaller) => {
    const { finding: again } = await run(smaller);
    if (again?.signature !== first.signature) return false;
    finding = again;
    return true;
  });
  return { finding, sequence: small };
}
