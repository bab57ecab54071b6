import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { isTrue, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { systemClasses } from './system-classes.ts';

/** The highest value of classes that users create. Higher ones are reserved for the system. */
const highestUserValue = 1_000_000_000;

/** The strategy of priority classes. */
export const strategy: Strategy = {
  generation: 'fixed',
  validateCreate: validateNewClass,
  validateUpdate: checkFixedFields,
  refuseDelete: (priorityClass) =>
    systemClasses.has(nameOf(priorityClass)) ? 'this is a system priority class and cannot be deleted' : undefined,
};

/** The errors of a new class. The policy is immutable, so updates do not check it. */
function validateNewClass(priorityClass: JsonObject): FieldError[] {
  return [...checkSystemNames(priorityClass), ...checkPreemptionPolicy('', priorityClass)];
}

const prefix = 'system-';

function checkSystemNames(priorityClass: JsonObject): FieldError[] {
  const name = stringAt(objectAt(priorityClass, 'metadata'), 'name');
  const value = numberAt(priorityClass, 'value') ?? 0;
  if (name.startsWith(prefix)) {
    return systemErrors(priorityClass, name).map((why) =>
      forbidden(
        'metadata.name',
        `priority class names with '${prefix}' prefix are reserved for system use only. error: ${why}`,
      ),
    );
  }
  return value > highestUserValue
    ? [forbidden('value', `maximum allowed value of a user defined priority is ${highestUserValue}`)]
    : [];
}

/** Checks a class with a reserved name: it must be one of the system classes, with its value. */
function systemErrors(priorityClass: JsonObject, name: string): string[] {
  const known = systemClasses.get(name);
  if (known === undefined) return [`${name} is not a known system priority class`];
  if (known !== numberAt(priorityClass, 'value')) return [`value of ${name} PriorityClass must be ${known}`];
  return isTrue(priorityClass, 'globalDefault') ? [`globalDefault of ${name} PriorityClass must be false`] : [];
}

function checkFixedFields(priorityClass: JsonObject, old: JsonObject): FieldError[] {
  const policy = 'preemptionPolicy';
  return [
    ...(numberAt(priorityClass, 'value') === numberAt(old, 'value')
      ? []
      : // Spelled with a capital since these messages exist.
        [forbidden('Value', 'may not be changed in an update.')]),
    ...checkImmutable(policy, getOwn(priorityClass, policy), getOwn(old, policy)),
  ];
}
