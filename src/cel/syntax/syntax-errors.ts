import { type Problem, problemLimit, SyntaxProblem } from './problem.ts';
import type { Token } from './tokens.ts';

/** The errors of an expression, and how the parser goes on after one. */
export interface SyntaxErrors {
  readonly source: string;
  readonly problems: Problem[];
  /** True from an error until a token fits: no other error is reported meanwhile. */
  isRecovering: boolean;
  /** The tokens that end the parts around the present one. */
  readonly ends: (readonly string[])[];
  /** The index of the token of the last error; -1: there was none. */
  lastIndex: number;
}

/** The state at the beginning of an expression, after the errors of its tokens. */
export function newSyntaxErrors(source: string, problems: readonly Problem[]): SyntaxErrors {
  return { source, problems: [...problems], isRecovering: false, ends: [], lastIndex: -1 };
}

/** Adds an error in the words of ANTLR. Throws one that ends the expression if there are many. */
export function report({ problems, isRecovering }: SyntaxErrors, at: number, what: string): void {
  if (isRecovering) return;
  if (problems.length >= problemLimit) {
    throw new SyntaxProblem(at, `Syntax error: More than ${problemLimit} syntax errors`);
  }
  problems.push({ at, message: `Syntax error: ${what}` });
}

/** All tokens, in the order in which messages list them. */
const order =
  '== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER'.split(
    ' ',
  );

/** The tokens with which an operand begins. */
export const operandStarts: readonly string[] =
  '[ { ( . - ! true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER'.split(' ');

/** The operators that may come after an operand. */
export const afterOperand: readonly string[] = '== != in < <= >= > && || ? + - * / %'.split(' ');

/** Reports whether a token begins an operand. */
export function startsOperand({ kind, text }: Token): boolean {
  if (kind === 'literal' || kind === 'number') return true;
  if (kind === 'name') return text !== 'in';
  return kind === 'operator' && '[{(.-!'.includes(text);
}

/** Tokens as messages list them: one, or several in braces. */
export function expectedTokens(tokens: readonly string[]): string {
  const shown = order.filter((token) => tokens.includes(token)).map((token) => (isNamed(token) ? token : `'${token}'`));
  return shown.length === 1 ? (shown[0] ?? '') : `{${shown.join(', ')}}`;
}

function isNamed(token: string): boolean {
  return /^[A-Z]/.test(token);
}

/** Reports whether a token may come after one that is missing. */
export function mayFollow(missing: string, token: Token, { ends }: SyntaxErrors): boolean {
  if (missing === ':') return startsOperand(token);
  if (missing !== ')' && missing !== ']') return false;
  const { kind, text } = token;
  const around = ends.at(-1);
  if (kind === 'end') return around === undefined;
  return kind === 'operator' && (around?.includes(text) ?? false);
}
