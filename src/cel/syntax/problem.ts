/** An error in the text of an expression. `at` is an offset in code points. */
export interface Problem {
  readonly at: number;
  readonly message: string;
}

/** More errors of one expression are not collected. */
export const problemLimit = 100;

/** A text that is no expression. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly at: number;
  /** The later errors of the expression. */
  readonly others: readonly Problem[];

  constructor(at: number, message: string, others: readonly Problem[] = []) {
    super(message);
    this.at = at;
    this.others = others;
  }
}

/** Formats errors as cel-go does: position, message, the line, and a mark below it. */
export function formatProblems(text: string, problems: readonly Problem[]): string {
  const characters = Array.from(text);
  return problems
    .toSorted((left, right) => left.at - right.at)
    .map((problem) => formatProblem(characters, problem))
    .join('\n');
}

function formatProblem(characters: readonly string[], { at, message }: Problem): string {
  const before = characters.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.filter((character) => character === '\n').length + 1;
  const end = characters.indexOf('\n', start);
  const shown = characters.slice(start, end < 0 ? undefined : end).join('');
  const column = at - start;
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${shown.replaceAll('\t', ' ')}\n | ${'.'.repeat(column)}^`;
}
