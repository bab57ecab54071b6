import { parseDuration } from '../../meta/duration.ts';
import { compilePattern } from '../functions/regex.ts';
import { childrenOf, type Node } from '../syntax/node.ts';
import type { Problem } from '../syntax/problem.ts';
import { Failure } from '../values/cel-value.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import type { CheckedExpression } from './check.ts';

/** The functions whose constant argument is checked with the expression. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => !(compilePattern(text) instanceof Failure),
};

/** Finds constants that are no duration, time or pattern. */
export function literalProblems({ root }: CheckedExpression): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'call') problems.push(...problemsOf(node.name, node.args.at(-1)));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return problems;
}

function problemsOf(name: string, argument: Node | undefined): readonly Problem[] {
  const isValid = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (!isValid || argument?.kind !== 'literal' || typeof argument.value !== 'string') return [];
  return isValid(argument.value) ? [] : [{ at: argument.at, message: `invalid ${name} argument` }];
}
