import type { MaybePromise } from '../async/maybe-promise.ts';
import { check, type CheckedExpression, type Declarations } from './check/check.ts';
import { ExpressionError } from './values/expression.ts';
import type { Frame } from './run/frame.ts';
import { plan } from './run/plan.ts';
import { wrongFormats } from './check/format-calls.ts';
import { childrenOf, type LiteralValue, type MapEntry, type Node } from './syntax/syntax-tree.ts';
import { parse } from './syntax/parse.ts';
import { formatProblems, type Problem, SyntaxProblem } from './syntax/problem.ts';
import type { Syntax } from './syntax/syntax.ts';
import { type CelType, formatType } from './types/cel-type.ts';
import { PendingDecision } from './values/authorizer-value.ts';
import { type CelValue, Failure } from './values/cel-value.ts';
import type { WorkMeter } from './values/work-meter.ts';
import { parseDuration } from '../meta/duration.ts';
import { compilePattern } from './functions/regex.ts';
import { isSecond, parseTimestamp } from './values/timestamp.ts';
import { sameType } from './types/unify.ts';

/** The functions whose constant argument is checked with the expression. */
const checks: Readonly<Record<string, (value: LiteralValue) => boolean>> = {
  duration: (value) => typeof value === 'string' && parseDuration(value) !== undefined,
  timestamp: (value) =>
    typeof value === 'string' ? parseTimestamp(value) !== undefined : typeof value !== 'bigint' || isSecond(value),
  matches: (value) => typeof value !== 'string' || !(compilePattern(value) instanceof Failure),
};

/** Finds invalid constants (durations, times, patterns, formats) and literals of mixed types. */
function literalProblems(checked: CheckedExpression, { mixedLiterals: mayMix }: Declarations): readonly Problem[] {
  return [...wrongConstants(checked), ...(mayMix ? [] : mixedLiterals(checked)), ...wrongFormats(checked)];
}

function wrongConstants({ root }: CheckedExpression): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'call') problems.push(...problemsOf(node.name, node.args[0]));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return problems;
}

function problemsOf(name: string, argument: Node | undefined): readonly Problem[] {
  const isValid = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (!isValid || argument?.kind !== 'literal') return [];
  return isValid(argument.value) ? [] : [{ at: argument.at, message: `invalid ${name} argument` }];
}

/** A compiled expression whose variables have types. */
export interface Program {
  readonly checked: CheckedExpression;
  /** The type of its value. */
  readonly type: CelType;
  /** The variables that it reads. */
  readonly reads: ReadonlySet<string>;
  /**
   * Evaluates it with the values of all declared variables, in their order. Throws CostExceeded
   * if it costs more than `limit`, or takes more work than the meter has.
   */
  readonly run: (values: readonly CelValue[], limit: number, meter: WorkMeter) => Outcome;
  /**
   * Like `run`, for an expression that may check an authorizer. When a decision is missing, waits
   * for it and evaluates again with a new meter.
   */
  readonly runDeciding: (
    values: readonly CelValue[],
    limit: number,
    makeMeter: () => WorkMeter,
  ) => MaybePromise<Outcome>;
}

/** The value of an expression, which may be an error, and its cost. */
interface Outcome {
  readonly value: CelValue;
  readonly cost: number;
}

/**
 * Compiles an expression. Throws ExpressionError with all errors, as cel-go formats them.
 */
export function compileProgram(text: string, declarations: Declarations): Program {
  const { environment } = declarations;
  const root = parseText(text, environment.syntax);
  const checked = check(root, declarations);
  if (!('root' in checked)) throw failed(text, checked);
  const problems = environment.checksLiterals ? literalProblems(checked, declarations) : [];
  if (problems.length > 0) throw failed(text, problems);
  const variables = [...declarations.variables.keys()];
  const { evaluate, size } = plan(checked, variables);
  const run: Program['run'] = (values, limit, meter) => {
    const frame: Frame = { values: extended(values, size), cost: 0, limit, meter };
    const value = evaluate(frame);
    return { value, cost: frame.cost };
  };
  return {
    checked,
    type: checked.typeOf(root),
    reads: variablesIn(root),
    run,
    runDeciding: (values, limit, makeMeter) => untilDecided(() => run(values, limit, makeMeter())),
  };
}

/** The values, with room for the variables of loops. Setting a length takes four times as long. */
function extended(values: readonly CelValue[], size: number): CelValue[] {
  const all = [...values];
  while (all.length < size) all.push(null);
  return all;
}

function untilDecided(run: () => Outcome): MaybePromise<Outcome> {
  try {
    return run();
  } catch (error) {
    if (error instanceof PendingDecision) return error.known.then(() => untilDecided(run));
    throw error;
  }
}

function failed(text: string, problems: Parameters<typeof formatProblems>[1]): ExpressionError {
  return new ExpressionError(`compilation failed: ${formatProblems(text, problems)}`);
}

function parseText(text: string, syntax: Syntax): Node {
  try {
    return parse(text, syntax);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw failed(text, [error, ...error.others]);
    throw error;
  }
}

/** The names that no loop binds. */
function variablesIn(root: Node): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: Node, bound: ReadonlySet<string>): void => {
    if (node.kind === 'ident' && !bound.has(node.name)) found.add(node.name.replace(/^\./, ''));
    const inner = node.kind === 'fold' ? new Set([...bound, node.iterVar, node.iterVar2, node.accuVar]) : bound;
    // The range and the start of a loop do not see its variables.
    for (const child of childrenOf(node)) {
      const isOutside = node.kind === 'fold' && (child === node.range || child === node.accuInit);
      visit(child, isOutside ? bound : inner);
    }
  };
  visit(root, new Set());
  return found;
}

/** Finds list and map literals with elements of several types, except in arguments of `format`. */
function mixedLiterals({ root, typeOf }: CheckedExpression): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'call' && node.name === 'format') return;
    if (node.kind === 'list') problems.push(...mixedItems(node, typeOf).slice(0, 1));
    if (node.kind === 'map') problems.push(...mixedEntries(node.entries, typeOf));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return problems;
}

function mixedItems({ elements, optional }: Node & { kind: 'list' }, typeOf: (node: Node) => CelType): Problem[] {
  return mismatches(
    elements.map((node, index) => ({ at: node.at, type: valueType(typeOf(node), optional.has(index)) })),
  );
}

function mixedEntries(entries: readonly MapEntry[], typeOf: (node: Node) => CelType): Problem[] {
  return [
    ...mismatches(entries.map(({ key }) => ({ at: key.at, type: typeOf(key) }))),
    ...mismatches(entries.map(({ value, optional }) => ({ at: value.at, type: valueType(typeOf(value), optional) }))),
  ];
}

function valueType(type: CelType, isOptional: boolean): CelType {
  return isOptional && type.kind === 'optional' ? type.value : type;
}

/** The elements whose type differs from the first one's. */
function mismatches(parts: readonly { readonly at: number; readonly type: CelType }[]): Problem[] {
  const [first] = parts;
  return parts.flatMap(({ at, type }) =>
    first && !sameType(first.type, type)
      ? [{ at, message: `expected type '${formatType(first.type)}' but found '${formatType(type)}'` }]
      : [],
  );
}
