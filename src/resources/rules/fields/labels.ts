import type { LabelSelector, LabelSelectorRequirement } from '../../../gen/stored/meta-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { validateLabelValue, validateQualifiedName } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkString } from './field-checks.ts';

/** Labels by key. */
type Labels = Readonly<Record<string, string>>;

/** Checks the keys and values of labels. Each error has the path of the map. */
export function checkLabels(field: string, labels: Labels = {}): readonly FieldError[] {
  return errorsOfEach(Object.entries(labels), ([key, value]) =>
    allErrors(checkString(field, key, validateQualifiedName), checkString(field, value, validateLabelValue)),
  );
}

/** Checks a LabelSelector: `matchLabels` and `matchExpressions`. */
export function checkLabelSelector(
  field: string,
  { matchLabels, matchExpressions = [] }: LabelSelector,
): readonly FieldError[] {
  return allErrors(
    checkLabels(`${field}.matchLabels`, matchLabels),
    checkEach(`${field}.matchExpressions`, matchExpressions, ({ key, operator, values = [] }, path) =>
      allErrors(operatorErrors(operator, values, path), checkString(`${path}.key`, key, validateQualifiedName)),
    ),
  );
}

/**
 * True if a LabelSelector can be converted to a selector: it is valid, and its values are valid
 * label values.
 */
export function isReadableSelector(selector: LabelSelector): boolean {
  const values = (selector.matchExpressions ?? []).flatMap((expression) => expression.values ?? []);
  return (
    checkLabelSelector('', selector).length === 0 && values.every((value) => validateLabelValue(value).length === 0)
  );
}

function operatorErrors(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
        : noErrors;
    case 'Exists':
    case 'DoesNotExist':
      return values.length > 0
        ? [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : noErrors;
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** True if a LabelSelector has no requirements, and so selects everything. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** True if labels match a valid LabelSelector. */
export function selectorMatches({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => getOwn(labels, key) === value) &&
    matchExpressions.every((expression) => expressionMatches(expression, labels))
  );
}

function expressionMatches({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels): boolean {
  const value = getOwn(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
