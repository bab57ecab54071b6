import type { MaybeAsync, MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { compileStructuralSchema, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { numberAt } from '../../meta/read-field.ts';
import { type FieldError, forbidden, invalid } from '../../status/field-error.ts';
import { ShownText } from '../../status/shown-value.ts';
import {
  type CompiledExpression,
  type CompiledRule,
  compileRule,
  type EnvironmentOf,
  mostValues,
} from './compile-rules.ts';
import { hasRules } from './rule-tree.ts';
import { type SchemaType, schemaTypeOf } from './schema-type.ts';
import { ruleInGo } from './rule-in-go.ts';
import { rulesOf, type ValidationRule } from './validation-rule.ts';

/** The estimated cost of an expression, for all values of an object. */
interface ExpressionCost {
  /** The full name of the extension that it is in. */
  readonly extension: string;
  readonly path: string;
  readonly cost: number;
}

/** The cost that all expressions of a schema may have together. */
const totalLimit = 100_000_000;

/** The most expressions that are named, and the least cost of one. */
const named = { most: 4, least: totalLimit / 100 };

/** The errors of a schema whose expressions cost too much together. */
function costErrors(path: string, costs: readonly ExpressionCost[], total: number): readonly FieldError[] {
  const what = `${costs[0]?.extension ?? ''} estimated rule cost total for entire OpenAPIv3 schema`;
  const expensive = costs.filter(({ cost }) => cost >= named.least).toSorted((a, b) => b.cost - a.cost);
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  return [
    ...expensive.slice(0, named.most).map((one) => forbidden(one.path, why)),
    forbidden(path, costMessage(what, total, totalLimit)),
  ];
}

/** The message about a cost above its limit. */
function costMessage(what: string, cost: number, limit: number): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor(cost / limit)} (${advice})`;
}

function factor(value: number): string {
  if (value > 100) return 'more than 100x';
  return `${value.toFixed(value < 1.5 ? 6 : 1)}x`;
}

/** A schema in a definition whose rules are checked. */
interface RulePosition {
  readonly path: string;
  /** The number of its values that an object can have; undefined: there is no limit. */
  readonly count: number | undefined;
  /** The path of the list around it whose items have no counterpart in the old object. */
  readonly uncorrelated: string | undefined;
}

/** The errors and the costs that were found. */
interface ExpressionFindings {
  /** True to allow each expression any cost. */
  readonly isKept: boolean;
  /** Called after each rule; see `RuleBudget`. */
  readonly rest: () => MaybePromise<void>;
  readonly environmentOf: EnvironmentOf;
  /** The minor number of the release whose errors are reported. */
  readonly release: number;
  readonly errors: FieldError[];
  readonly costs: ExpressionCost[];
}

/**
 * Finds the errors of the expressions in the rules of a structural schema: expressions that do not
 * compile, or that cost too much, each or together. Stops after each rule. The expressions of a
 * schema that is kept as it was may cost too much each, but not together.
 */
export function* checkExpressions(
  path: string,
  schema: JsonObject,
  options: Pick<ExpressionFindings, 'isKept' | 'rest' | 'environmentOf' | 'release'>,
): MaybeAsync<void, readonly FieldError[]> {
  const structural = compileStructuralSchema(schema);
  if (!hasRules(schema)) return [];
  const scope = schemaTypeOf(structural, 'selfType', true);
  const found: ExpressionFindings = { ...options, errors: [], costs: [] };
  if (scope) yield* checkSchema(scope, { path, count: 1, uncorrelated: undefined }, found);
  const total = found.costs.reduce((sum, { cost }) => sum + cost, 0);
  return total > totalLimit ? [...found.errors, ...costErrors(path, found.costs, total)] : found.errors;
}

function* checkSchema(scope: SchemaType, position: RulePosition, found: ExpressionFindings): MaybeAsync<void, void> {
  for (const [name, part] of scope.fields) {
    // The identity of whole objects may be missing from their schema.
    if (scope.schema.properties.has(name)) {
      yield* checkSchema(part, { ...position, path: `${position.path}.properties[${name}]` }, found);
    }
  }
  if (scope.element) yield* checkSchema(scope.element, elementPosition(scope.schema, position), found);
  const { extension, rules } = rulesOf(scope.schema.source);
  for (const [index, rule] of rules.entries()) {
    const compiled = compileRule(rule, scope, found.environmentOf);
    if (!compiled) continue;
    const at = `${position.path}.${extension}[${index}]`;
    const count = position.count ?? mostValues(scope);
    found.costs.push(...costsOf(compiled, { extension, path: at }, count));
    found.errors.push(
      ...ruleErrors(compiled, { ...position, path: at, release: found.release }, found.isKept ? 0 : count),
    );
    yield found.rest();
  }
}

/** The position of the items of a list, or of the values of a map. */
function elementPosition({ type, source, listType }: StructuralSchema, position: RulePosition): RulePosition {
  const isList = type === 'array';
  const most = numberAt(source, isList ? 'maxItems' : 'maxProperties');
  const { path, count, uncorrelated } = position;
  return {
    path: `${path}.${isList ? 'items' : 'additionalProperties'}`,
    count: count === undefined || most === undefined ? undefined : count * Math.max(0, most),
    uncorrelated: uncorrelated ?? (isList && listType !== 'map' ? path : undefined),
  };
}

function costOf(expression: CompiledExpression): number {
  return expression.program ? expression.maxCost : 0;
}

/** A message is made once, however many values break the rule. */
function costsOf(
  { condition, message }: CompiledRule,
  { extension, path }: { readonly extension: string; readonly path: string },
  count: number,
): readonly ExpressionCost[] {
  return [
    { extension, path: `${path}.rule`, cost: costOf(condition) * count },
    ...(message ? [{ extension, path: `${path}.messageExpression`, cost: costOf(message) }] : []),
  ];
}

function ruleErrors(
  { rule, condition, message, usesOldSelf }: CompiledRule,
  { path, uncorrelated, release }: RulePosition & { readonly release: number },
  count: number,
): readonly FieldError[] {
  const cost = costOf(condition) * count;
  const messageCost = message && count > 0 ? costOf(message) : 0;
  return [
    ...limitErrors(`${path}.rule`, 'estimated rule cost', cost),
    ...(condition.program ? [] : [invalidRule(`${path}.rule`, rule, { release, detail: condition.error })]),
    ...(message && !message.program
      ? [invalidRule(`${path}.messageExpression`, rule, { release, detail: message.error })]
      : limitErrors(`${path}.messageExpression`, 'estimated messageExpression cost', messageCost)),
    ...(usesOldSelf && uncorrelated !== undefined
      ? [
          invalid(
            `${path}.rule`,
            rule.rule,
            `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
          ),
        ]
      : []),
    ...(!usesOldSelf && rule.optionalOldSelf !== undefined
      ? [invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')]
      : []),
  ];
}

/** The error of a rule, with the whole rule as its value, as in kube-apiserver. */
function invalidRule(
  field: string,
  rule: ValidationRule,
  { release, detail }: { readonly release: number; readonly detail: string },
): FieldError {
  return invalid(field, new ShownText(ruleInGo(rule, release)), detail);
}

/** The cost that one expression may have, for all values of an object. */
const expressionLimit = 10_000_000;

function limitErrors(field: string, what: string, cost: number): readonly FieldError[] {
  return cost > expressionLimit ? [forbidden(field, costMessage(what, cost, expressionLimit))] : [];
}
