import type { Condition } from '../../../gen/stored/meta-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported, tooLong } from '../../../status/field-error.ts';

const statuses = ['False', 'True', 'Unknown'];

/** Maximum sizes of texts, in bytes. */
const limits = { reason: 1_024, message: 32_768 };

const reasonFormat = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonPattern = new RegExp(`^${reasonFormat}$`);
const reasonMessage =
  'a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters ' +
  "or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or " +
  `'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonFormat}')`;

/** Checks conditions of the common type: unique types, and valid fields. */
export function checkConditions(field: string, conditions: readonly Condition[]): readonly FieldError[] {
  const list = new FieldCursor({ conditions }, field.slice(0, field.lastIndexOf('.')));
  const seen = new Set<unknown>();
  for (const condition of list.each('conditions')) checkCondition(condition, seen);
  return list.errors;
}

/** Checks a condition of the common type; `seen` has the types of the previous ones. */
export function checkCondition(condition: FieldCursor<Condition>, seen: Set<unknown>): void {
  const { path, value } = condition;
  condition.at('type').mustBeUnique(seen);
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = value;
  for (const text of validateQualifiedName(type)) condition.report(invalid(`${path}.type`, type, text));
  if (!statuses.includes(status)) condition.report(notSupported(`${path}.status`, status, statuses));
  if (observedGeneration < 0) {
    condition
      .at('observedGeneration')
      .reportInvalid('must be greater than or equal to zero', Number(observedGeneration));
  }
  if (!lastTransitionTime) condition.at('lastTransitionTime').reportRequired();
  if (reason === '') condition.at('reason').reportRequired();
  else if (!reasonPattern.test(reason)) condition.at('reason').reportInvalid(reasonMessage);
  for (const [name, text] of [
    ['reason', reason],
    ['message', message],
  ] as const) {
    if (Buffer.byteLength(text) > limits[name]) condition.report(tooLong(`${path}.${name}`, limits[name]));
  }
}
