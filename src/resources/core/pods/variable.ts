import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { nothingWrong, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkFieldReference, checkKeyReference, checkResourceReference, variableFields } from './reference.ts';

/** Checks an environment variable: its name, and the source of its value. */
export function checkVariable(variable: JsonObject, path: string): readonly FieldError[] {
  return allErrors(
    checkRequiredString(`${path}.name`, stringAt(variable, 'name'), variableNameMessages),
    isSet(variable, 'valueFrom') ? sourceErrors(variable, `${path}.valueFrom`) : noErrors,
  );
}

const variableName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const variablePattern = new RegExp(`^${variableName}$`);

function variableNameMessages(name: string): readonly string[] {
  if (!variablePattern.test(name)) {
    return [
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
        "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
        `regex used for validation is '${variableName}')`,
    ];
  }
  if (name === '.') return ["must not be '.'"];
  if (name === '..') return ["must not be '..'"];
  return name.startsWith('..') ? ["must not start with '..'"] : nothingWrong;
}

const keySources = ['configMapKeyRef', 'secretKeyRef'];
const sources = ['fieldRef', 'resourceFieldRef', ...keySources];

function sourceErrors(variable: JsonObject, path: string): readonly FieldError[] {
  const from = objectAt(variable, 'valueFrom');
  const count = sources.filter((name) => isSet(from, name)).length;
  const own = allErrors(
    isSet(from, 'fieldRef')
      ? checkFieldReference(`${path}.fieldRef`, objectAt(from, 'fieldRef'), variableFields)
      : noErrors,
    isSet(from, 'resourceFieldRef')
      ? checkResourceReference(`${path}.resourceFieldRef`, objectAt(from, 'resourceFieldRef'), false)
      : noErrors,
    errorsOfEach(keySources, (name) =>
      isSet(from, name) ? checkKeyReference(`${path}.${name}`, objectAt(from, name)) : noErrors,
    ),
  );
  if (count === 0) {
    return [
      invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'),
    ];
  }
  if (stringAt(variable, 'value') !== '') {
    return [...own, invalid(path, '', 'may not be specified when `value` is not empty')];
  }
  return count > 1 ? [...own, invalid(path, '', 'may not have more than one field specified at a time')] : own;
}

/**
 * Checks the sources of sets of environment variables. A source that refers to nothing is reported
 * at the list.
 */
export function checkVariableSources(field: string, list: readonly JsonObject[]): readonly FieldError[] {
  return checkEach(field, list, (source, path) => {
    const prefix = stringAt(source, 'prefix');
    const given = ['configMapRef', 'secretRef'].filter((name) => isSet(source, name));
    return allErrors(
      prefix === '' ? noErrors : checkString(`${path}.prefix`, prefix, variableNameMessages),
      given.flatMap((name) =>
        checkRequiredString(`${path}.${name}.name`, stringAt(objectAt(source, name), 'name'), validateDnsSubdomain),
      ),
      given.length === 0 ? [invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`')] : noErrors,
      given.length > 1 ? [invalid(field, '', 'may not have more than one field specified at a time')] : noErrors,
    );
  });
}
