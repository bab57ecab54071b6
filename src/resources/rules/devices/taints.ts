import type { DeviceTaint, DeviceToleration } from '../../../gen/stored/resource-v1.ts';
import { validateLabelValue, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, invalid, tooMany } from '../../../status/field-error.ts';
import { checkString } from '../fields/field-checks.ts';

const effects = ['NoExecute', 'NoSchedule', 'None'];
const operators = ['Equal', 'Exists'];

/** Checks a taint. An unchanged effect is not validated again. */
export function checkTaint(taint: FieldCursor<DeviceTaint>, old?: DeviceTaint): void {
  checkKey(taint.at('key'));
  taint.at('value').mustBe(validateLabelValue);
  const effect = taint.at('effect');
  if (old && old.effect === effect.value) return;
  effect.mustBeSet();
  effect.mustBeOneOf(effects);
}

function checkKey(key: FieldCursor<string>): void {
  for (const message of validateQualifiedName(key.value)) key.reportInvalid(message);
}

/** Checks that the value of a toleration matches its operator. */
export function checkToleration(toleration: FieldCursor<DeviceToleration>): void {
  const { operator, value = '' } = toleration.value;
  toleration.at('key').mustBe(validateQualifiedName);
  const text = toleration.at('value');
  if (operator === 'Exists' && value !== '') text.reportInvalid('must be empty for operator `Exists`');
  if (operator === 'Equal') text.mustBe(validateLabelValue);
  const choice = toleration.at('operator');
  choice.mustBeSet();
  choice.mustBeOneOf(operators);
  toleration.at('effect').mustBeOneOf(effects);
}

/** The conditions that a pod waits for before it is bound. */
interface BindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

const mostConditions = 4;

/**
 * Checks the binding conditions of a device: success and failure conditions are both given, and
 * differ.
 */
export function checkBindingConditions<T extends BindingConditions>(device: FieldCursor<T>): void {
  const { bindingConditions: wanted = [], bindingFailureConditions: failed = [] } = device.value;
  const lists = [
    ['bindingConditions', wanted],
    ['bindingFailureConditions', failed],
  ] as const;
  for (const [name, types] of lists) checkTypes(device, `${device.path}.${name}`, types);
  const wantedTypes = new Set(wanted);
  for (const [name, types] of lists) {
    const at = `${device.path}.${name}`;
    const seen = new Set<string>();
    for (const [index, type] of types.entries()) {
      if (seen.has(type)) device.report(duplicate(`${at}[${index}]`, type));
      seen.add(type);
      if (types === failed && wantedTypes.has(type)) {
        reportAt(device, `${at}[${index}]`, type, 'bindingFailureConditions must not overlap with bindingConditions');
      }
    }
  }
  const at = device.path;
  if (wanted.length === 0 && failed.length > 0) {
    const message = 'bindingConditions are required to use bindingFailureConditions';
    reportAt(device, `${at}.bindingConditions`, null, message);
  }
  if (failed.length === 0 && wanted.length > 0) {
    const message = 'bindingFailureConditions are required to use bindingConditions';
    reportAt(device, `${at}.bindingFailureConditions`, null, message);
  }
}

function checkTypes(device: FieldCursor<unknown>, at: string, types: readonly string[]): void {
  if (types.length > mostConditions) {
    device.report(tooMany(at, types.length, mostConditions));
    return;
  }
  for (const [index, type] of types.entries()) {
    device.report(...checkString(`${at}[${index}]`, type, validateQualifiedName));
  }
}

function reportAt(device: FieldCursor<unknown>, field: string, shown: string | null, detail: string): void {
  device.report(invalid(field, shown, detail));
}
