import type { Toleration } from '../../gen/stored/core-v1.ts';
import { validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';
import { FieldCursor } from '../../status/field-cursor.ts';
import type { FieldError } from '../../status/field-error.ts';

/** Checks the tolerations of a Pod, a RuntimeClass, or the configuration of a plugin. */
export function checkTolerations(field: string, tolerations: readonly Toleration[]): readonly FieldError[] {
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
    checkOperator(toleration);
    toleration.at('effect').mustBeOneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
  }
  return cursor.errors;
}

function checkOperator(toleration: FieldCursor<Toleration>): void {
  const operator = toleration.at('operator');
  const { value = '' } = toleration.value;
  if (operator.value === 'Exists') {
    if (value) operator.reportInvalid("value must be empty when `operator` is 'Exists'", toleration.value);
  } else if (!operator.value || operator.value === 'Equal') {
    const messages = validateLabelValue(value);
    if (messages.length > 0) operator.reportInvalid(messages.join(';'), value);
  } else operator.mustBeOneOf(['Equal', 'Exists']);
}
