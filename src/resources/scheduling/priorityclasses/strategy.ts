import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { systemClasses } from './system-classes.ts';

/** The highest value that users may give; higher ones are for the system. */
const highestUserValue = 1_000_000_000;

/** Priority classes. */
export const definition: ResourceDefinition = {
  group: 'scheduling',
  resource: 'priorityclasses',
  strategy: { generation: true, validateCreate: checkSystemNames, validateUpdate: checkFixedFields },
};

function checkSystemNames(priorityClass: JsonObject): FieldError[] {
  const name = stringAt(objectAt(priorityClass, 'metadata'), 'name');
  const value = numberAt(priorityClass, 'value') ?? 0;
  const system = systemClasses.get(name);
  if (system !== undefined) {
    return system === value ? [] : [forbidden('metadata.name', `the value of the system priority class is ${system}`)];
  }
  return [
    ...(name.startsWith('system-')
      ? [
          forbidden(
            'metadata.name',
            "priority class names with 'system-' prefix are reserved for system use only. error: " +
              `${name} is not a known system priority class`,
          ),
        ]
      : []),
    ...(value > highestUserValue
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${highestUserValue}`)]
      : []),
  ];
}

function checkFixedFields(priorityClass: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...(numberAt(priorityClass, 'value') === numberAt(old, 'value')
      ? []
      : [forbidden('value', 'may not be changed in an update.')]),
    ...(stringAt(priorityClass, 'preemptionPolicy') === stringAt(old, 'preemptionPolicy')
      ? []
      : [forbidden('preemptionPolicy', 'may not be changed in an update.')]),
  ];
}
