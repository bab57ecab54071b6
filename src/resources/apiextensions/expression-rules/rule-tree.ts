import type { JsonObject } from '../../../meta/json-value.ts';
import type { StructuralSchema } from '../../../scheme/structural/structural-schema.ts';
import { type CompiledRule, compileRule } from './compile-rules.ts';
import { type SchemaType, schemaTypeOf } from './schema-type.ts';
import { rulesOf } from './validation-rule.ts';

/** The rules of a schema and of its parts. Parts without rules are left out. */
export interface RuleTree {
  readonly scope: SchemaType;
  readonly rules: readonly CompiledRule[];
  readonly fields: ReadonlyMap<string, RuleTree>;
  /** The rules of the items of a list, or of the values of a map. */
  readonly element: RuleTree | undefined;
}

/** Compiles the rules of the schema of a custom kind; undefined if it has none. */
export function compileRuleTree(root: StructuralSchema): RuleTree | undefined {
  if (!hasRules(root)) return undefined;
  const scope = schemaTypeOf(root, 'selfType', true);
  return scope && treeOf(scope);
}

/** Reports whether a schema or a part of it has rules. */
export function hasRules(schema: StructuralSchema): boolean {
  return hasOwnRules(schema.source) || partsOf(schema).some(hasRules);
}

function hasOwnRules(source: JsonObject): boolean {
  return rulesOf(source).rules.length > 0;
}

function partsOf({ properties, additional, items }: StructuralSchema): readonly StructuralSchema[] {
  return [...properties.values(), ...(typeof additional === 'object' ? [additional] : []), ...(items ? [items] : [])];
}

function treeOf(scope: SchemaType): RuleTree | undefined {
  const rules = rulesOf(scope.schema.source).rules.flatMap((rule) => compileRule(rule, scope) ?? []);
  const fields = new Map(
    [...scope.fields].flatMap(([name, part]) => {
      const tree = treeOf(part);
      return tree ? [[name, tree] as const] : [];
    }),
  );
  const element = scope.element && treeOf(scope.element);
  if (rules.length === 0 && fields.size === 0 && !element) return undefined;
  return { scope, rules, fields, element };
}
