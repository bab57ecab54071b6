import type { PriorityClass } from '../../../gen/stored/scheduling-v1.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, flagColumn, integerColumn, nameColumn, orNone, textColumn } from '../../columns/column.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { systemClasses } from './system-classes.ts';

/** The highest value of classes that users create. Higher ones are reserved for the system. */
const highestUserValue = 1_000_000_000;

/** The strategy of priority classes. */
const strategy: Strategy<PriorityClass> = {
  generation: 'fixed',
  validateCreate: validateNewClass,
  validateUpdate: checkFixedFields,
  refuseDelete: ({ metadata: { name = '' } }) =>
    systemClasses.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
};

/** The errors of a new class. The policy is immutable, so updates do not check it. */
function validateNewClass(priorityClass: PriorityClass): FieldError[] {
  return [...checkSystemNames(priorityClass), ...checkPreemptionPolicy('', priorityClass)];
}

const prefix = 'system-';

function checkSystemNames(priorityClass: PriorityClass): FieldError[] {
  const { metadata, value } = priorityClass;
  const { name = '' } = metadata;
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
function systemErrors({ value, globalDefault }: PriorityClass, name: string): string[] {
  const known = systemClasses.get(name);
  if (known === undefined) return [`${name} is not a known system priority class`];
  if (known !== value) return [`value of ${name} PriorityClass must be ${known}`];
  return globalDefault ? [`globalDefault of ${name} PriorityClass must be false`] : [];
}

function checkFixedFields(
  { value, preemptionPolicy }: PriorityClass,
  old: PriorityClass,
  { emulated }: StrategyContext,
): FieldError[] {
  return [
    ...(value === old.value
      ? []
      : // Spelled with a capital in earlier releases.
        [forbidden(isSince(emulated.release, '1.36') ? 'value' : 'Value', 'may not be changed in an update.')]),
    ...checkImmutable('preemptionPolicy', preemptionPolicy, old.preemptionPolicy),
  ];
}

/** The columns of priority classes. */
const columns: readonly Column<PriorityClass>[] = [
  nameColumn,
  integerColumn('Value', 'Priority of pods of the class.', ({ value }) => value),
  flagColumn(
    'Global-Default',
    'Whether pods without a class get this one.',
    ({ globalDefault = false }) => globalDefault,
  ),
  ageColumn,
  {
    ...textColumn('PreemptionPolicy', 'Whether pods of the class take the place of others.', ({ preemptionPolicy }) =>
      orNone(preemptionPolicy),
    ),
    since: '1.33',
  },
];

/** The resource `priorityclasses` of the group `scheduling`. */
export const priorityClasses = builtIn<PriorityClass>({
  group: 'scheduling',
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  versions: {
    v1: { introduced: '1.14' },
    v1beta1: { introduced: '1.11', deprecated: { since: '1.14', removed: '1.22', replacement: 'v1' } },
  },
  shortNames: ['pc'],
  columns,
  strategy,
});
