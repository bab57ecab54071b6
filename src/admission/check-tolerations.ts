import type { JsonObject } from '../meta/json-value.ts';
import { isSet, stringAt } from '../meta/read-field.ts';
import { validateLabelValue, validateQualifiedName } from '../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../status/all-errors.ts';
import { type FieldError, invalid, notSupported } from '../status/field-error.ts';

/** Checks the tolerations of a Pod, a RuntimeClass, or the configuration of a plugin. */
export function checkTolerations(field: string, tolerations: readonly JsonObject[]): readonly FieldError[] {
  return errorsOfEach(tolerations, (toleration, index) => {
    const path = `${field}[${index}]`;
    const [key, operator] = [stringAt(toleration, 'key'), stringAt(toleration, 'operator')];
    const effect = stringAt(toleration, 'effect');
    return allErrors(
      key ? validateQualifiedName(key).map((message) => invalid(`${path}.key`, key, message)) : noErrors,
      !key && operator !== 'Exists'
        ? [
            invalid(
              `${path}.operator`,
              operator,
              'operator must be Exists when `key` is empty, which means "match all values and all keys"',
            ),
          ]
        : noErrors,
      isSet(toleration, 'tolerationSeconds') && effect !== 'NoExecute'
        ? [invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : noErrors,
      operatorErrors(toleration, path),
      effect === '' || effects.includes(effect) ? noErrors : [notSupported(`${path}.effect`, effect, effects)],
    );
  });
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const valued = "value must be empty when `operator` is 'Exists'";

function operatorErrors(toleration: JsonObject, path: string): readonly FieldError[] {
  const field = `${path}.operator`;
  const [operator, value] = [stringAt(toleration, 'operator'), stringAt(toleration, 'value')];
  switch (operator) {
    case '':
    case 'Equal': {
      const messages = validateLabelValue(value);
      return messages.length > 0 ? [invalid(field, value, messages.join(';'))] : noErrors;
    }
    case 'Exists':
      return value === '' ? noErrors : [invalid(field, toleration, valued)];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}
