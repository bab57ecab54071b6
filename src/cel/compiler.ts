import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../meta/json-value.ts';
import { type Expression, ExpressionError } from './values/expression.ts';
import { fullEnvironment } from './functions/environment.ts';
import { compileProgram } from './program.ts';
import { childrenOf, type Node } from './syntax/syntax-tree.ts';
import { configuredVariables } from './configured-variables.ts';
import { formatType, types } from './types/cel-type.ts';
import { Failure } from './values/cel-value.ts';
import { CostExceeded, meterFor } from './values/work-meter.ts';
import { fromJson, toJson } from './values/from-json.ts';

/** Compiles expressions. The same text with the same variables gives the same object. */
export interface Compiler {
  /** Throws ExpressionError if the text is invalid, or reads other variables. */
  readonly compile: (text: string, variables: readonly string[]) => Expression;
}

const remembered = 1_000;

/** The limit of the cost of one evaluation, which then takes some 10 ms. */
const costLimit = 100_000;

/** Longer expressions of configuration are refused. */
const longestText = 4_096;

/** Creates a compiler of expressions in configuration files. */
export function createCompiler(): Compiler {
  const known = new LRUCache<string, Expression>({ max: remembered });
  return {
    compile(text, variables) {
      const key = JSON.stringify([text, variables]);
      const found = known.get(key) ?? compileExpression(text, variables);
      known.set(key, found);
      return found;
    },
  };
}

function compileExpression(text: string, variables: readonly string[]): Expression {
  if (text.length > longestText) throw new ExpressionError(`must have at most ${longestText} characters`);
  const declared = new Map(variables.map((name) => [name, configuredVariables.get(name) ?? types.dyn]));
  const program = compileProgram(text, { environment: fullEnvironment(), variables: declared, mixedLiterals: true });
  return {
    text,
    fields: fieldsIn(program.checked.root),
    resultType: formatType(program.type),
    evaluate(values: Readonly<Record<string, JsonValue>>) {
      const inputs = variables.map((name) => fromJson(values[name] ?? null));
      const meter = meterFor(costLimit);
      return limited(() => {
        const { value } = program.run(inputs, costLimit, meter);
        // The text after a colon may be a value of a variable.
        if (value instanceof Failure) throw new ExpressionError(`evaluation failed: ${value.message.split(':', 1)[0]}`);
        return toJson(meter, value);
      });
    },
  };
}

function limited<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof CostExceeded) throw new ExpressionError('evaluation takes too many steps', { cause });
    throw cause;
  }
}

/** The fields that an expression reads directly from its variables: `claims.email`. */
function fieldsIn(root: Node): ReadonlySet<string> {
  const fields = new Set<string>();
  const visit = (node: Node, bound: ReadonlySet<string>): void => {
    const [operand, field] = selectionIn(node);
    if (operand?.kind === 'ident' && !bound.has(operand.name)) fields.add(`${operand.name}.${field}`);
    const inner = node.kind === 'fold' ? new Set([...bound, node.iterVar, node.iterVar2, node.accuVar]) : bound;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(root, new Set());
  return fields;
}

/** The operand and the field of `a.b` or `a.?b`; undefined for other nodes. */
function selectionIn(node: Node): readonly [operand: Node | undefined, field: string] {
  if (node.kind === 'select') return [node.operand, node.field];
  if (node.kind !== 'call' || node.name !== '_?._') return [undefined, ''];
  const [operand, field] = node.args;
  return [operand, field?.kind === 'literal' && typeof field.value === 'string' ? field.value : ''];
}
