import type { MatchCondition } from '../../../gen/stored/admissionregistration-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { tooMany } from '../../../status/field-error.ts';

const mostConditions = 64;

/** Checks the match conditions of a webhook or policy. */
export function checkMatchConditions(conditions: FieldCursor<readonly MatchCondition[] | undefined>): void {
  const { value = [], path } = conditions;
  if (value.length > mostConditions) conditions.report(tooMany(path, value.length, mostConditions));
  const names = new Set<unknown>();
  for (const [index, one] of value.entries()) {
    const condition = new FieldCursor(one, index, conditions);
    if (one.expression.trim() === '') condition.at('expression').reportRequired();
    const name = condition.at('name');
    name.mustBeSet();
    name.mustBe(validateQualifiedName);
    name.mustBeUnique(names);
  }
}

/** Trims match conditions: messages show them, and offsets in them, without surrounding space. */
export function withTrimmedConditions<Owner extends { readonly matchConditions?: MatchCondition[] }>(
  owner: Owner,
): Owner {
  if (!owner.matchConditions) return owner;
  return {
    ...owner,
    matchConditions: owner.matchConditions.map((one) => ({ ...one, expression: one.expression.trim() })),
  };
}
