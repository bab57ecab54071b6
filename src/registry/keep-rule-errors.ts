import type { JsonObject } from '../meta/json-value.ts';
import { allErrors } from '../status/all-errors.ts';
import type { FieldError } from '../status/field-error.ts';
import type { StoredResource } from './stored-resource.ts';
import type { StrategyContext } from './strategy.ts';

/** The errors of an object that were found before its rules run, and those of its rules. */
interface RuleFindings {
  readonly state: readonly FieldError[];
  readonly metadata: readonly FieldError[];
  readonly schema: readonly FieldError[];
  rules: readonly FieldError[];
}

/** Runs the rules of a kind of objects, if it has any, and keeps their errors. */
export function keepRuleErrors(
  write: {
    readonly resource: StoredResource;
    readonly scope: StrategyContext;
    readonly object: JsonObject;
    readonly old?: JsonObject;
  },
  found: RuleFindings,
): Promise<void> | undefined {
  const { resource, scope, object, old } = write;
  const validate = resource.storageVersion.schema.validateRules ?? resource.strategy.validateRules;
  const errors = validate?.(object, {
    ...(old ? { old } : {}),
    found: allErrors(found.metadata, found.state, found.schema),
    warn: (text) => scope.warn(text),
  });
  if (errors instanceof Promise) return errors.then((rules) => void (found.rules = rules));
  if (errors) found.rules = errors;
  return undefined;
}
