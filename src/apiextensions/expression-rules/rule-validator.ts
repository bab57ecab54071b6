import type { ValidateRules } from '../../scheme/model/schema.ts';
import type { StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { minorOf } from '../../scheme/api-release.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { compileRuleTree, type RuleTree } from './rule-tree.ts';
import { validateRules } from './validate-rules.ts';

/**
 * Makes the function that evaluates the rules of a schema, which are compiled on first use. An
 * object with values of wrong types or sizes is skipped. Unchanged values must satisfy the rules
 * too, unless `keepsUnchanged` is true for the write.
 */
export function ruleValidator(
  structural: StructuralSchema,
  keepsUnchanged: (isStatus: boolean) => boolean,
): ValidateRules {
  let tree: RuleTree | undefined;
  return (object, { old, isStatus = false, found, warn, release }) => {
    if (found.some(({ reason }) => blockingReasons.has(reason))) return [notChecked];
    tree ??= compileRuleTree(structural);
    return tree
      ? validateRules(tree, { object, old, release: minorOf(release), ...(keepsUnchanged(isStatus) ? { warn } : {}) })
      : [];
  };
}

const blockingReasons: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notChecked = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
