import type { MaybeAsync } from '../../async/maybe-promise.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { compileStructuralSchema, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import type { FieldError } from '../../status/field-error.ts';
import { compileRuleTree, hasRules } from './rule-tree.ts';
import type { RuleBudget } from './run-rule.ts';
import { rulesInSteps } from './validate-rules.ts';

/**
 * Finds the errors that the rules of a structural schema have for its defaults. Each default must
 * be allowed as a new value, and as one that stays as it is. Stops after each rule.
 */
export function* checkDefaultsByRules(
  path: string,
  schema: JsonObject,
  { budget, release }: Pick<DefaultCheck, 'budget' | 'release'>,
): MaybeAsync<void, readonly FieldError[]> {
  if (!hasRules(schema)) return [];
  const errors: FieldError[] = [];
  yield* checkPart(path, compileStructuralSchema(schema), { isRoot: true, budget, release, errors });
  return errors;
}

/** The defaults that are left to check. */
interface DefaultCheck {
  readonly isRoot: boolean;
  readonly budget: RuleBudget;
  /** The minor number of the release whose errors are reported. */
  readonly release: number;
  readonly errors: FieldError[];
}

/** Values of maps have no defaults. */
function* checkPart(path: string, schema: StructuralSchema, check: DefaultCheck): MaybeAsync<void, void> {
  if (!hasRules(schema.source)) return;
  if (schema.default !== undefined) yield* checkValue(`${path}.default`, schema, schema.default, check);
  if (schema.items) yield* checkPart(`${path}.items`, schema.items, { ...check, isRoot: false });
  for (const [name, part] of schema.properties) {
    yield* checkPart(`${path}.properties[${name}]`, part, { ...check, isRoot: false });
  }
}

function* checkValue(
  path: string,
  schema: StructuralSchema,
  value: JsonValue,
  { isRoot, budget, release, errors }: DefaultCheck,
): MaybeAsync<void, void> {
  const tree = compileRuleTree(schema, isRoot);
  if (!tree) return;
  const kept = yield* rulesInSteps(tree, { value, old: value, budget, release });
  const found = kept.length > 0 ? kept : yield* rulesInSteps(tree, { value, old: undefined, budget, release });
  errors.push(...found.map((error) => belowPath(path, error)));
}

/** An error of a default, with the path of the default in the definition. */
function belowPath(path: string, { reason, field, message }: FieldError): FieldError {
  const inside = field === '<nil>' ? '' : field.startsWith('[') ? field : `.${field}`;
  return { reason, field: `${path}${inside}`, message };
}
