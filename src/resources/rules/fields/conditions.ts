import type { Condition } from '../../../gen/stored/meta-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';

const states: readonly string[] = ['False', 'True', 'Unknown'];
const reasonFormat = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const longestReason = 1_024;
const longestMessage = 32 * 1_024;

/** Checks a condition of the API machinery (meta/v1); `seen` has the types of those before it. */
export function checkCondition(condition: FieldCursor<Condition>, seen: Set<unknown>): void {
  const { observedGeneration = 0, lastTransitionTime, message } = condition.value;
  const type = condition.at('type');
  type.mustBe(validateQualifiedName);
  if (type.value) type.mustBeUnique(seen);
  else type.reportRequired('must be set');
  const status = condition.at('status');
  if (!states.includes(status.value ?? '')) status.report(notSupported(status.path, status.value ?? '', states));
  if (Number(observedGeneration) < 0) {
    condition.at('observedGeneration').reportInvalid('must be greater than or equal to zero');
  }
  if (!lastTransitionTime) condition.at('lastTransitionTime').reportRequired('must be set');
  checkReason(condition.at('reason'));
  if (message.length > longestMessage)
    condition.at('message').reportInvalid(`may not be more than ${longestMessage} bytes`);
}

function checkReason(reason: FieldCursor<string | undefined>): void {
  const { value = '' } = reason;
  if (value === '') return reason.reportRequired('must be set');
  if (value.length > longestReason) reason.reportInvalid(`may not be more than ${longestReason} bytes`);
  else if (!reasonFormat.test(value)) {
    reason.reportInvalid(
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
    );
  }
}
