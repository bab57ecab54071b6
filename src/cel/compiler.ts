import { celEnv, celFunc, CelScalar, isCelError, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../meta/json-value.ts';
import { type Expression, ExpressionError } from './expression.ts';
import { countSteps, namesIn, parseExpression, stepFunction } from './syntax-tree.ts';
import { toCel, toJson } from './values.ts';

/** Compiles expressions. The same text with the same variables gives the same object. */
export interface Compiler {
  /** Throws ExpressionError if the text is invalid, or reads other variables. */
  readonly compile: (text: string, variables: readonly string[]) => Expression;
}

const remembered = 1_000;

/** Rounds of all loops of one evaluation, which then takes some 20 ms. */
const mostSteps = 10_000;

/** Creates a compiler. CEL takes 18 MB of memory, so this file is imported when it is needed. */
export function createCompiler(): Compiler {
  const known = new LRUCache<string, Expression>({ max: remembered });
  return {
    compile(text, variables) {
      const key = JSON.stringify([text, variables]);
      const found = known.get(key) ?? withinStack(() => compileExpression(text, variables));
      known.set(key, found);
      return found;
    },
  };
}

/** Work on nested expressions recurses, and so may exceed the stack: that is their fault. */
function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof RangeError) throw new ExpressionError('the expression is nested too deeply', { cause });
    throw cause;
  }
}

function compileExpression(text: string, variables: readonly string[]): Expression {
  const root = parseExpression(text);
  const names = namesIn(root);
  const unknown = [...names.variables].find((name) => !variables.includes(name));
  if (unknown !== undefined) throw new ExpressionError(`compilation failed: undeclared reference to '${unknown}'`);
  countSteps(root);
  let steps = 0;
  const step = celFunc(stepFunction, [CelScalar.BOOL], CelScalar.BOOL, (condition) => {
    if (++steps > mostSteps) throw new ExpressionError('too many steps');
    return condition;
  });
  const environment = celEnv({ funcs: [...strings, step] });
  const missing = [...names.functions].find((name) => !environment.funcs.find(name));
  if (missing !== undefined) throw new ExpressionError(`compilation failed: undeclared reference to '${missing}'`);
  const evaluate = plan(environment, root);
  return {
    text,
    fields: names.fields,
    evaluate(values: Readonly<Record<string, JsonValue>>) {
      steps = 0;
      const inputs = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toCel(value)]));
      const result = withinStack(() => evaluate(inputs));
      // An operator may have absorbed the error.
      if (steps > mostSteps) throw new ExpressionError('evaluation takes too many steps');
      if (isCelError(result)) throw new ExpressionError(`evaluation failed: ${result.message}`, { cause: result });
      return toJson(result);
    },
  };
}
