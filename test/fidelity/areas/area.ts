import type { Random } from '../../robustness/random.ts';
import type { Sequence } from '../sequence.ts';
import type { Subject } from '../subjects.ts';

/** A part of the API that sequences are drawn from. */
export interface Area {
  readonly name: string;
  /** Whether the area has sequences of a kind; all kinds without it. */
  readonly takes?: (subject: Subject) => boolean;
  /** A sequence that depends on nothing but the source of chance. */
  readonly draw: (random: Random, subject: Subject) => Sequence;
}

/** Paths of objects that the end of a sequence does not take away with its namespace. */
export function leftoversOf({ info }: Subject, paths: readonly string[]): readonly string[] {
  return info.namespaced ? [] : paths;
}
