import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '../../../gen/stored/resource-v1.ts';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, invalid, tooMany } from '../../../status/field-error.ts';

const mostValues = 10;

/** Checks the request policy of a capacity, whose total amount is `capacity`. */
export function checkRequestPolicy(policy: FieldCursor<CapacityRequestPolicy>, capacity: string): void {
  const { validValues = [], validRange, default: fallback } = policy.value;
  if (validValues.length > 0 && validRange) {
    const message =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    policy.reportForbidden(message);
    return;
  }
  const kind = validValues.length > 0 ? 'validValues' : validRange ? 'validRange' : undefined;
  if (!kind) return;
  if (fallback === null) policy.at('default').reportRequired(`required when ${kind} is defined`);
  else if (validRange)
    checkRange(policy.at('validRange') as FieldCursor<CapacityRequestPolicyRange>, fallback, capacity);
  else checkValues(policy, fallback, capacity);
}

/** Parses an amount; quantities in decoded objects are valid. */
function amount(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) throw new Error(`not a quantity: ${text}`);
  return parsed;
}

function isMore(left: string, right: string): boolean {
  return compareQuantities(amount(left), amount(right)) > 0;
}

function checkValues(policy: FieldCursor<CapacityRequestPolicy>, fallback: string, capacity: string): void {
  const { validValues: values = [] } = policy.value;
  const at = policy.at('validValues').path;
  for (const [index, value] of values.entries()) {
    const before = values[index - 1];
    if (before === undefined || !isMore(before, value)) continue;
    policy.report(invalid(`${at}[${index}]`, value, 'values must be sorted in ascending order'));
  }
  if (values.length > mostValues) policy.report(tooMany(at, values.length, mostValues));
  else {
    for (const [index, value] of values.entries()) {
      if (!isMore(value, capacity)) continue;
      policy.report(invalid(`${at}[${index}]`, value, `option is larger than capacity value: ${capacity}`));
    }
    const keys = values.map((value) => String(amount(value).nanos));
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) < index) policy.report(duplicate(`${at}[${index}]`, values[index]));
    }
    if (values.some((value) => compareQuantities(amount(value), amount(fallback)) === 0)) return;
  }
  policy.report(invalid(at, fallback, 'default value is not valid according to the requestPolicy'));
}

function checkRange(range: FieldCursor<CapacityRequestPolicyRange>, fallback: string, capacity: string): void {
  const { min, max, step } = range.value;
  const report = (name: string, shown: string, detail: string): void =>
    range.report(invalid(`${range.path}.${name}`, shown, detail));
  if (min === undefined) {
    range.at('min').reportRequired('required when validRange is defined');
    return;
  }
  if (isMore(min, capacity)) report('min', min, `min is larger than capacity value: ${capacity}`);
  if (isMore(min, fallback)) report('min', fallback, `default is less than min: ${min}`);
  if (max !== undefined) {
    if (isMore(min, max)) report('max', min, `min is larger than max: ${max}`);
    if (isMore(max, capacity)) report('max', max, `max is larger than capacity value: ${capacity}`);
    if (isMore(fallback, max)) report('max', fallback, `default is more than max: ${max}`);
  }
  if (step === undefined) return;
  const { nanos, format } = amount(step);
  if (nanos <= 0n) {
    report('step', step, 'must be greater than zero');
    return;
  }
  const one = formatQuantity({ nanos: amount(min).nanos + nanos, format });
  if (isMore(one, capacity)) report('step', step, `one step ${one} is larger than capacity value: ${capacity}`);
  for (const value of [fallback, ...(max === undefined ? [] : [max])]) {
    if ((amount(value).nanos - amount(min).nanos) % nanos === 0n) continue;
    report('step', value, `value is not a multiple of a given step (${step}) from (${min})`);
  }
}
