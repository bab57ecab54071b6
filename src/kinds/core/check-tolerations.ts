import type { Toleration } from '../../gen/stored/core-v1.ts';
import { validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';
import { FieldCursor } from '../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported } from '../../status/field-error.ts';

/** The operators that compare numbers: allowed, refused by name, or not known to the release. */
export type NumberOperators = 'allowed' | 'refused' | 'unknown';

/** Checks the tolerations of a Pod, a RuntimeClass, or the configuration of a plugin. */
export function checkTolerations(
  field: string,
  tolerations: readonly Toleration[],
  numbers: NumberOperators = 'unknown',
): readonly FieldError[] {
  const cursor = new FieldCursor({ [field]: tolerations });
  for (const toleration of cursor.each(field)) {
    const { key, operator, effect, tolerationSeconds } = toleration.value;
    toleration.at('key').mustBe(validateQualifiedName);
    if (!key && operator !== 'Exists') {
      toleration
        .at('operator')
        .reportInvalid('operator must be Exists when `key` is empty, which means "match all values and all keys"');
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      toleration.at('effect').reportInvalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    checkOperator(toleration, numbers);
    toleration.at('effect').mustBeOneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
  }
  return cursor.errors;
}

function checkOperator(toleration: FieldCursor<Toleration>, numbers: NumberOperators): void {
  const operator = toleration.at('operator');
  const { value = '' } = toleration.value;
  if (operator.value === 'Exists') {
    if (value) operator.reportInvalid("value must be empty when `operator` is 'Exists'", toleration.value);
  } else if (!operator.value || operator.value === 'Equal') {
    const messages = validateLabelValue(value);
    if (messages.length > 0) operator.reportInvalid(messages.join(';'), value);
  } else if (numbers === 'unknown' || !(operator.value === 'Lt' || operator.value === 'Gt')) {
    operator.mustBeOneOf(['Equal', 'Exists']);
  } else if (numbers === 'refused') {
    operator.report(notSupported(operator.path, operator.value, ['Equal', 'Exists', 'Lt', 'Gt']));
  } else checkNumber(toleration.at('value'), value);
}

/** The largest signed integer of 64 bits. */
const largest = 2n ** 63n - 1n;

/** Checks that a text is a whole number in range; may report both a form and a range error. */
function checkNumber(field: FieldCursor<string | undefined>, text: string): void {
  if (text === '') field.report(invalid(field.path, text, 'must be non-empty'));
  else if (!/^(?:0|-?[1-9]\d*)$/.test(text)) {
    field.report(invalid(field.path, text, 'must be a valid decimal integer in canonical form'));
  }
  if (!/^[+-]?\d+$/.test(text)) field.report(invalid(field.path, text, unreadable(text, 'invalid syntax')));
  else if (BigInt(text) > largest || BigInt(text) < -largest - 1n) {
    field.report(invalid(field.path, text, unreadable(text, 'value out of range')));
  }
}

function unreadable(text: string, reason: string): string {
  return `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${reason}`;
}
