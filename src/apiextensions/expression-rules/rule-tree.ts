import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../meta/read-field.ts';
import { extensionOf, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { type CompiledRule, compileRule } from './compile-rules.ts';
import { type SchemaType, schemaTypeOf } from './schema-type.ts';
import { rulesOf, type ValidationRule } from './validation-rule.ts';

/** The rules of a schema and of its parts. Parts without rules are left out. */
export interface RuleTree {
  readonly scope: SchemaType;
  /** Each is compiled when it runs for the first time. */
  readonly rules: readonly (() => CompiledRule | undefined)[];
  readonly fields: ReadonlyMap<string, RuleTree>;
  /** The rules of the items of a list, or of the values of a map. */
  readonly element: RuleTree | undefined;
  /** The rules of `allOf`, over the same values. */
  readonly all: readonly RuleTree[];
}

/** Finds the rules in the schema of a custom kind, or of a part of it; undefined if it has none. */
export function compileRuleTree(schema: StructuralSchema, isRoot = true): RuleTree | undefined {
  if (!hasRules(schema.source)) return undefined;
  const scope = schemaTypeOf(schema, 'selfType', isRoot);
  return scope && treeOf(scope, schema.source);
}

/** Reports whether a schema or a part of it has rules. */
export function hasRules(source: JsonObject): boolean {
  if (extensionOf(source, 'validations') !== undefined && rulesOf(source).rules.length > 0) return true;
  const parts = [...Object.values(objectAt(source, 'properties')), source['items'], source['additionalProperties']];
  return [...parts.filter(isJsonObject), ...objectsAt(source, 'allOf')].some(hasRules);
}

/** `source` is the schema itself, or a part of its `allOf` with rules over the same values. */
function treeOf(scope: SchemaType, source: JsonObject): RuleTree | undefined {
  const rules = rulesOf(source).rules.map((rule) => compiledOnce(rule, scope));
  const fields = new Map(
    [...scope.fields].flatMap(([name, part]) => {
      const tree = treeOf(part, objectAt(source, 'properties', name));
      return tree ? [[name, tree] as const] : [];
    }),
  );
  const element = scope.element && treeOf(scope.element, objectAt(source, elementPart(scope.schema)));
  const all = objectsAt(source, 'allOf').flatMap((part) => treeOf(scope, part) ?? []);
  if (rules.length === 0 && fields.size === 0 && !element && all.length === 0) return undefined;
  return { scope, rules, fields, element, all };
}

function compiledOnce(rule: ValidationRule, scope: SchemaType): () => CompiledRule | undefined {
  let compiled: CompiledRule | undefined;
  return () => (compiled ??= compileRule(rule, scope));
}

function elementPart({ type }: StructuralSchema): string {
  return type === 'array' ? 'items' : 'additionalProperties';
}
