import { type Problem, problemLimit, SyntaxProblem } from './problem.ts';
import type { Token } from './tokens.ts';

/** The errors of an expression, and the state of the parser's error recovery. */
export interface SyntaxErrors {
  readonly source: string;
  readonly problems: Problem[];
  /** True from an error until a token matches; no errors are reported meanwhile. */
  isRecovering: boolean;
  /** The tokens that end the enclosing parts, innermost last. */
  readonly ends: (readonly string[])[];
  /** The index of the token of the last error; -1 without one. */
  lastIndex: number;
}

/** The initial state, with the errors of the tokens. */
export function newSyntaxErrors(source: string, problems: readonly Problem[]): SyntaxErrors {
  return { source, problems: [...problems], isRecovering: false, ends: [], lastIndex: -1 };
}

/** Adds an error with the message of ANTLR. Throws if there are too many errors. */
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

/** The operators that can follow an operand. */
export const afterOperand: readonly string[] = '== != in < <= >= > && || ? + - * / %'.split(' ');

/** Reports whether a token begins an operand. */
export function startsOperand({ kind, text }: Token): boolean {
  if (kind === 'literal' || kind === 'number') return true;
  if (kind === 'name') return text !== 'in';
  return kind === 'operator' && '[{(.-!'.includes(text);
}

/** Formats tokens for messages: a single one, or several in braces. */
export function expectedTokens(tokens: readonly string[]): string {
  const shown = order.filter((token) => tokens.includes(token)).map((token) => (isNamed(token) ? token : `'${token}'`));
  return shown.length === 1 ? (shown[0] ?? '') : `{${shown.join(', ')}}`;
}

function isNamed(token: string): boolean {
  return /^[A-Z]/.test(token);
}

/** Reports whether a token may follow a missing token. */
export function mayFollow(missing: string, token: Token, { ends }: SyntaxErrors): boolean {
  if (missing === ':') return startsOperand(token);
  if (missing !== ')' && missing !== ']') return false;
  const { kind, text } = token;
  const around = ends.at(-1);
  if (kind === 'end') return around === undefined;
  return kind === 'operator' && (around?.includes(text) ?? false);
}
