import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../http/cl/cl-runner.ts';
import type { Program } from './programs.ts';
import type { CommandLine } from './read-lines.ts';

/** What may differ between two runs, and what stands for it. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g, 'UID'],
  [/\b10\.0\.0\.\d+\b/g, 'ADDRESS'],
  // Ages, and the columns whose width follows from them.
  [/\b(?:\d+[dhms])+\b(?: \(x\d+ over (?:\d+[dhms])+\))? *|\b(?:AGE|LAST SEEN|FIRST SEEN|Age)\b *|-{3,} */g, 'AGE '],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/(resourceVersion"?: ?)"?\d+"?/g, '$1"VERSION"'],
  // Each program has a folder of its own.
  [/\/\S*\/cl-lines-\w+\/?/g, ''],
  // Columns may be wider than what is in them.
  [/ {2,}/g, ' '],
  [/ +$/gm, ''],
];

/** A text without what may differ between two runs. */
function masked(text: string): string {
  return masks.reduce((result, [pattern, word]) => result.replaceAll(pattern, word), text);
}

/** The differences between what two programs did for a line. */
export function differencesOf(line: CommandLine, theirs: Outcome, ours: Outcome): string[] {
  const found: string[] = [];
  const message = `\n--- cl:\n${ours.out}${ours.err}--- kubectl:\n${theirs.out}${theirs.err}`;
  const judge = (isSame: boolean, what: string): void => {
    if (!isSame) found.push(`${line.text}: ${what}${found.length === 0 ? message : ''}`);
  };
  judge(theirs.code === ours.code, `the code is ${ours.code}, not ${theirs.code}`);
  judge((theirs.err === '') === (ours.err === ''), 'one of them has messages');
  if (line.isForPeople) judge((theirs.out === '') === (ours.out === ''), 'one of them prints nothing');
  else judge(areSame(theirs.out, ours.out), 'they print different texts');
  return found;
}

/** JSON may have its fields in another order. */
function areSame(one: string, other: string): boolean {
  if (masked(one) === masked(other)) return true;
  if (!one.startsWith('{') || !other.startsWith('{')) return false;
  return isDeepStrictEqual(JSON.parse(masked(one)), JSON.parse(masked(other)));
}

/** Runs lines with two programs, `atOnce` at a time; returns all differences. */
export async function compareLines(
  lines: readonly CommandLine[],
  [theirs, ours]: readonly [Program, Program],
  atOnce: number,
): Promise<readonly string[]> {
  const left = [...lines];
  const differences: string[] = [];
  const work = async (): Promise<void> => {
    for (let line = left.shift(); line !== undefined; line = left.shift()) {
      const [one, other] = await Promise.all([theirs(line), ours(line)]);
      differences.push(...differencesOf(line, one, other));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return differences;
}
