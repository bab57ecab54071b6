import type { JsonValue } from '../../src/meta/json-value.ts';
import type { ApiResponse } from './api-target.ts';
import { compareResponses } from './compare-responses.ts';
import type { Difference } from './compare.ts';
import type { Exchange, KnownDifference, MetDifference } from './known/known-difference.ts';
import { knownDifferences } from './known/known-differences.ts';
import type { SequenceStep } from './sequence.ts';
import { signatureOf } from './signature.ts';
import type { Subject } from './subjects.ts';

/** A difference that nothing explains, and where it was met. */
export interface Finding {
  readonly signature: string;
  /** The steps that may have led to it, the one that shows it last; all of them where the events of a watch differ. */
  readonly steps: readonly SequenceStep[];
  readonly differences: readonly Difference[];
  readonly exchange: Exchange;
}

/** Compares the answers to the steps of a sequence, in their order. */
export interface StepComparison {
  /** Compares the answers to a step; false where they differ so that later steps cannot be compared. */
  add(step: SequenceStep, answers: { readonly reference: ApiResponse; readonly ours: ApiResponse }): boolean;
  /** Compares the events of the sequence's watch, which is no step of it. */
  addEvents(watch: SequenceStep, answers: { readonly reference: ApiResponse; readonly ours: ApiResponse }): void;
  /** Forgets what the steps about an object came to: it has been deleted. */
  forget(object: string): void;
  readonly findings: readonly Finding[];
  /** Steps that the reference took. */
  readonly accepted: number;
  /** Rows of docs/differences.md that explain a difference. */
  readonly known: ReadonlySet<string>;
}

/** What the steps about one object have come to; those about none in particular share one. */
interface History {
  readonly met: MetDifference[];
  readonly earlier: Exchange[];
}

/** Steps about no object in particular create and change the definition of the kind of the others. */
function definitionIn(history: History | undefined): JsonValue | undefined {
  return history?.earlier.findLast(({ ours }) => ours.status < 300)?.ours.body;
}

/** What a comparison looks for. */
export interface ComparisonOptions {
  /** Differences that are meant; those of all releases of the reference by default. */
  readonly meant?: readonly KnownDifference[] | undefined;
  /** Compares the texts of errors as well. */
  readonly texts?: boolean | undefined;
}

/** Begins the comparison of a sequence about a kind. */
export function startComparison(
  subject: Subject,
  { meant = knownDifferences, texts = false }: ComparisonOptions = {},
): StepComparison {
  const histories = new Map<string | undefined, History>();
  let past: SequenceStep[] = [];
  const findings: Finding[] = [];
  const known = new Set<string>();
  let accepted = 0;
  const compare: StepComparison['add'] = (step, { reference, ours }) => {
    const history = histories.get(step.object) ?? { met: [], earlier: [] };
    histories.set(step.object, history);
    const definition = step.object === undefined ? undefined : definitionIn(histories.get(undefined));
    const compared = compareResponses(step, subject, { reference, ours }, { ...history, definition, texts }, meant);
    history.met.push(...compared.known);
    for (const { row } of compared.known) known.add(row);
    const exchange = { step, subject, reference, ours, earlier: [...history.earlier] };
    history.earlier.push({ step, subject, reference, ours });
    if (reference.status < 300) accepted++;
    const [first] = compared.unexplained;
    // An independent object begins anew where it is not the same, so that nothing that follows from that is explained by it.
    const isOther = step.object !== undefined && ours.status < 300 && compared.known.length > 0;
    if (!first) return !compared.parted && !isOther;
    const steps = past.filter(({ object }) => object === undefined || object === step.object);
    findings.push({ signature: signatureOf(first, exchange), steps, differences: compared.unexplained, exchange });
    return false;
  };
  return {
    add(step, answers) {
      past.push(step);
      return compare(step, answers);
    },
    addEvents: compare,
    forget(object) {
      histories.delete(object);
      past = past.filter((step) => step.object !== object);
    },
    findings,
    get accepted() {
      return accepted;
    },
    known,
  };
}
