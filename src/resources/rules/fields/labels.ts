import { validateLabelValue, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isSet, objectAt, objectsAt, stringAt, stringEntriesAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from './check.ts';

/** Checks the keys and values of the labels in the field `name` of an object. */
export function checkLabels(field: string, object: JsonObject, name: string): readonly FieldError[] {
  const labels = objectAt(object, name);
  return errorsOfEach(Object.keys(labels), (key) => {
    const value = labels[key];
    return typeof value === 'string'
      ? allErrors(checkString(field, key, validateQualifiedName), checkString(field, value, validateLabelValue))
      : noErrors;
  });
}

/** Checks a LabelSelector: `matchLabels` and `matchExpressions`. */
export function checkLabelSelector(field: string, selector: JsonObject): readonly FieldError[] {
  return allErrors(
    checkLabels(`${field}.matchLabels`, selector, 'matchLabels'),
    checkEach(`${field}.matchExpressions`, objectsAt(selector, 'matchExpressions'), expressionErrors),
  );
}

/**
 * True if a LabelSelector can be converted to a selector: it is valid, and its values are valid
 * label values.
 */
export function isReadableSelector(selector: JsonObject): boolean {
  return (
    checkLabelSelector('', selector).length === 0 &&
    objectsAt(selector, 'matchExpressions').every((expression) =>
      stringsAt(expression, 'values').every((value) => validateLabelValue(value).length === 0),
    )
  );
}

function expressionErrors(expression: JsonObject, path: string): readonly FieldError[] {
  return allErrors(
    operatorErrors(stringAt(expression, 'operator'), stringsAt(expression, 'values'), path),
    checkString(`${path}.key`, stringAt(expression, 'key'), validateQualifiedName),
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
export function isEmptySelector(selector: JsonObject): boolean {
  return stringEntriesAt(selector, 'matchLabels').length === 0 && objectsAt(selector, 'matchExpressions').length === 0;
}

/** True if labels match a valid LabelSelector. */
export function selectorMatches(selector: JsonObject, labels: JsonObject): boolean {
  return (
    stringEntriesAt(selector, 'matchLabels').every(([key, value]) => stringOf(labels, key) === value) &&
    objectsAt(selector, 'matchExpressions').every((expression) => expressionMatches(expression, labels))
  );
}

function stringOf(labels: JsonObject, key: string): string | undefined {
  return isSet(labels, key) ? stringAt(labels, key) : undefined;
}

function expressionMatches(expression: JsonObject, labels: JsonObject): boolean {
  const value = stringOf(labels, stringAt(expression, 'key'));
  const values = stringsAt(expression, 'values');
  switch (stringAt(expression, 'operator')) {
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
