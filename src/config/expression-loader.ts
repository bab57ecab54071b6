import type { Compiler } from '../cel/compiler.ts';
import { type Expression, ExpressionError } from '../cel/values/expression.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { stringAt } from '../meta/read-field.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { createExpressionCompiler } from './expression-compiler.ts';

/** Compiles an expression over some variables. Throws ExpressionError. */
export type Compile = Compiler['compile'];

/** Every field with an expression has this in its name. */
const mark = /expression/i;

const noExpressions: Compile = () => {
  throw new ExpressionError('the file has an expression in a place that was not expected');
};

/**
 * Creates the function that returns the compiler for the text of a configuration file. It loads CEL
 * if the text has expressions. The same expressions of later texts are the same objects.
 */
export function createExpressionLoader(): (text: string) => Promise<Compile> {
  let compiler: Compiler | undefined;
  return async (text) => {
    if (!mark.test(text)) return noExpressions;
    compiler ??= await createExpressionCompiler();
    return compiler.compile;
  };
}

/** The path of an expression, and the error for a condition that is not a boolean. */
interface ExpressionPlace {
  readonly at: string;
  readonly name?: string;
  readonly isCondition?: (resultType: string) => string;
}

/** The error of the expression in a field, if it has one that does not compile. */
export function expressionErrors(
  object: JsonObject,
  { at, name = 'expression', isCondition }: ExpressionPlace,
  compile: (text: string) => Expression,
): FieldError[] {
  const text = stringAt(object, name);
  // An expression of spaces is reported as missing elsewhere.
  if (text.trim() === '') return [];
  try {
    const { resultType } = compile(text);
    return isCondition === undefined || resultType === 'bool'
      ? []
      : [invalid(`${at}.${name}`, text, isCondition(resultType))];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [invalid(`${at}.${name}`, text, error.message)];
  }
}
