import { parse } from '@bufbuild/cel';
import { ExpressionError } from './expression.ts';

/** A node of a parsed expression. */
type Node = ReturnType<typeof parse>['expr'];

/** The names in an expression. */
interface Names {
  /** The variables, without those of macros such as `all`. */
  readonly variables: ReadonlySet<string>;
  /** The fields that are selected from them: `claims.email`. */
  readonly fields: ReadonlySet<string>;
  /** The functions that it calls by name, without operators. */
  readonly functions: ReadonlySet<string>;
}

/** The function that each round of a loop calls, with the condition of the loop. */
export const stepFunction = '@step';

/** Names of types, which are values too. */
const types: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** The names of operators begin with other characters: `_&&_`, `@in`. */
const functionName = /^[a-zA-Z]/;

/** Longer expressions are not parsed: this takes some 20 ms. */
const longestText = 4_096;

/** Parses an expression. Throws ExpressionError; RangeError if it is nested too deeply. */
export function parseExpression(text: string): Node {
  if (text.length > longestText) throw new ExpressionError(`must have at most ${longestText} characters`);
  try {
    return parse(text).expr;
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new ExpressionError(`compilation failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Collects the names that an expression reads. */
export function namesIn(root: Node): Names {
  const variables = new Set<string>();
  const fields = new Set<string>();
  const functions = new Set<string>();
  const visit = (node: Node, bound: ReadonlySet<string>): void => {
    const { exprKind: kind } = node;
    if (kind.case === 'identExpr' && !bound.has(kind.value.name)) variables.add(kind.value.name);
    if (kind.case === 'callExpr' && functionName.test(kind.value.function)) functions.add(kind.value.function);
    if (kind.case === 'selectExpr' && kind.value.operand?.exprKind.case === 'identExpr') {
      const { name } = kind.value.operand.exprKind.value;
      if (!bound.has(name)) fields.add(`${name}.${kind.value.field}`);
    }
    const inner =
      kind.case === 'comprehensionExpr' ? new Set([...bound, kind.value.iterVar, kind.value.accuVar]) : bound;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(root, types);
  return { variables, fields, functions };
}

/** Lets each round of each loop in an expression call `stepFunction`. Changes the expression. */
export function countSteps(node: Node): void {
  for (const child of childrenOf(node)) countSteps(child);
  if (node.exprKind.case !== 'comprehensionExpr') return;
  const loop = node.exprKind.value;
  const step = parse('step(true)').expr;
  if (step.exprKind.case !== 'callExpr' || !loop.loopCondition) throw new TypeError('a loop has no condition');
  step.exprKind.value.function = stepFunction;
  step.exprKind.value.args = [loop.loopCondition];
  loop.loopCondition = step;
}

function childrenOf({ exprKind: kind }: Node): readonly Node[] {
  if (kind.case === 'selectExpr') return present(kind.value.operand);
  if (kind.case === 'callExpr') return [...present(kind.value.target), ...kind.value.args];
  if (kind.case === 'listExpr') return kind.value.elements;
  if (kind.case === 'structExpr') {
    return kind.value.entries.flatMap(({ keyKind, value }) => [
      ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
      ...present(value),
    ]);
  }
  if (kind.case !== 'comprehensionExpr') return [];
  const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value;
  return [iterRange, accuInit, loopCondition, loopStep, result].flatMap(present);
}

function present(node: Node | undefined): readonly Node[] {
  return node ? [node] : [];
}
