import { ExpressionError } from '../../cel/values/expression.ts';
import { type CelValue, Duration, Timestamp } from '../../cel/values/cel-value.ts';
import { toJson } from '../../cel/values/from-json.ts';
import { formatTimestamp } from '../../cel/values/timestamp.ts';
import { formatDuration } from '../../meta/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { longestExpression } from './stage-schema.ts';
import { compileExpression, type StageBudget, type StageVariables } from './stage-expression.ts';

/** Makes a value of the variables. Throws as expressions do. */
export type Template = (variables: StageVariables, budget: StageBudget) => JsonValue;

/** The expressions of all templates of one stage. */
const expressionLimit = 100;

/** How a template is compiled: its path, and the problems that were found. */
export interface TemplateContext {
  readonly path: string;
  readonly problems: string[];
  /** The number of expressions so far. */
  expressions: number;
}

/**
 * Compiles a value whose texts have expressions inside `${...}`. A text that is one expression
 * becomes its value, of any type; in other texts the values become text. `$${` stands for `${`.
 */
export function compileTemplate(value: JsonValue, context: TemplateContext, path = context.path): Template {
  if (typeof value === 'string') return compileText(value, context, path);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileTemplate(item, context, `${path}[${index}]`));
    return (variables, budget) => items.map((item) => item(variables, budget));
  }
  if (!isJsonObject(value)) return () => value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, compileTemplate(member, context, `${path}.${name}`)] as const,
  );
  return (variables, budget) => {
    const object: JsonObject = {};
    for (const [name, member] of members) setOwn(object, name, member(variables, budget));
    return object;
  };
}

/** A part of a text: literal, or the text of an expression. */
interface TextPart {
  readonly text: string;
  readonly isExpression: boolean;
}

function compileText(text: string, context: TemplateContext, path: string): Template {
  const parts = splitText(text);
  if (!parts) {
    context.problems.push(`${path}: \${ has no closing brace within ${longestExpression} characters`);
    return () => text;
  }
  const pieces = parts.map((part) => (part.isExpression ? compilePart(part.text, context, path) : part.text));
  const [first] = pieces;
  if (typeof first === 'function' && pieces.length === 1) {
    return (variables, budget) => valueOf(first(variables, budget), budget);
  }
  return (variables, budget) =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece(variables, budget), budget))).join('');
}

function compilePart(text: string, context: TemplateContext, path: string) {
  try {
    if (++context.expressions > expressionLimit)
      throw new ExpressionError(`use at most ${expressionLimit} expressions`);
    const { evaluate } = compileExpression(text);
    return (variables: StageVariables, budget: StageBudget): CelValue => {
      try {
        return evaluate(variables, budget);
      } catch (cause) {
        throw cause instanceof ExpressionError ? new ExpressionError(`${path}: ${cause.message}`, { cause }) : cause;
      }
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    context.problems.push(`${path}: ${error.message}`);
    return '';
  }
}

/** Splits a text at its expressions; undefined if a brace is not closed. */
function splitText(text: string): readonly TextPart[] | undefined {
  const parts: TextPart[] = [];
  let literal = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('${', at);
    if (open < 0) {
      literal += text.slice(at);
      break;
    }
    if (text[open - 1] === '$' && open > at) {
      literal += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    const close = closingBrace(text, open + 2);
    if (close < 0) return undefined;
    literal += text.slice(at, open);
    if (literal !== '') parts.push({ text: literal, isExpression: false });
    literal = '';
    parts.push({ text: text.slice(open + 2, close), isExpression: true });
    at = close + 1;
  }
  if (literal !== '') parts.push({ text: literal, isExpression: false });
  return parts;
}

/** Texts of CEL, in which braces do not count, and braces. */
const token = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]/g;

function closingBrace(text: string, from: number): number {
  // A search to the end of a long text for each open quotation mark would take minutes.
  const near = text.slice(from, from + longestExpression + 1);
  let depth = 1;
  token.lastIndex = 0;
  for (let found = token.exec(near); found; found = token.exec(near)) {
    if (found[0] === '{') depth++;
    if (found[0] === '}' && --depth === 0) return from + found.index;
  }
  return -1;
}

/** Times and durations have no JSON: they become texts. */
function valueOf(value: CelValue, { meter }: StageBudget): JsonValue {
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return formatDuration(value.nanos);
  return toJson(meter, value);
}

function textOf(value: CelValue, budget: StageBudget): string {
  const json = valueOf(value, budget);
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}
