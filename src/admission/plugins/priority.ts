import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { isSet, isTrue, keepField, makeObjectAt, numberAt, objectAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';
import type { LookupOf, ObjectLookup } from '../object-lookup.ts';

/** What a class gives to a Pod. */
interface ComputedPriority {
  /** '' where no class applies. */
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

/** A Pod without a class, where no class is the default of all. */
const noClass: ComputedPriority = Object.freeze({
  className: '',
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
});

/**
 * Turns the name of a Pod's priority class into a number, which clients may not give themselves, and keeps it as long as the
 * Pod lives (spec 4.10). At most one class is the default of all.
 */
export function priority(identifiers: Identifiers, lookupOf: LookupOf): AdmissionPlugin {
  const group = `scheduling.${identifiers.apiDomain}`;
  const classes = lookupOf(group, 'priorityclasses');
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE'],
    mutate(attributes) {
      const { object, oldObject } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return undefined;
      const spec = makeObjectAt(object, 'spec');
      if (!oldObject) return prioritise(attributes, spec, classes);
      keepPriority(spec, objectAt(oldObject, 'spec'));
      return undefined;
    },
    validate(attributes) {
      const { object } = attributes;
      const asks = object && isWriteTo(attributes, group, 'priorityclasses', 'CREATE', 'UPDATE');
      return asks && isTrue(object, 'globalDefault') ? checkOnlyDefault(attributes, classes) : undefined;
    },
  };
}

async function prioritise(attributes: AdmissionAttributes, spec: JsonObject, classes: ObjectLookup): Promise<void> {
  givePriority(attributes, spec, await priorityOf(attributes, spec, classes));
}

async function checkOnlyDefault(attributes: AdmissionAttributes, classes: ObjectLookup): Promise<void> {
  const other = defaultOf(await classes.list(attributes.signal));
  if (!other || (attributes.operation === 'UPDATE' && nameOf(other) === attributes.name)) return;
  throw forbidden(
    attributes,
    `PriorityClass ${nameOf(other)} is already marked as default. Only one default can exist`,
  );
}

const computedFields = ['priority', 'preemptionPolicy'];

/** Clients that do not know the computed fields leave them out when they update. */
function keepPriority(spec: JsonObject, old: JsonObject): void {
  for (const field of computedFields) if (!isSet(spec, field)) keepField(spec, old, field);
}

async function priorityOf(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  classes: ObjectLookup,
): Promise<ComputedPriority> {
  const className = stringAt(spec, 'priorityClassName');
  if (className === '') {
    const given = defaultOf(await classes.listKnown(attributes.signal));
    return given ? computed(given) : noClass;
  }
  const found = await classes.find(className, attributes.signal);
  if (!found) throw forbidden(attributes, `no PriorityClass with name ${className} was found`);
  return computed(found);
}

function computed(priorityClass: JsonObject): ComputedPriority {
  return {
    className: nameOf(priorityClass),
    value: numberAt(priorityClass, 'value') ?? 0,
    preemptionPolicy: stringAt(priorityClass, 'preemptionPolicy') || noClass.preemptionPolicy,
  };
}

/** Where a race has made several defaults, the lowest counts. */
function defaultOf(classes: readonly JsonObject[]): JsonObject | undefined {
  return classes
    .filter((candidate) => isTrue(candidate, 'globalDefault'))
    .toSorted((a, b) => (numberAt(a, 'value') ?? 0) - (numberAt(b, 'value') ?? 0))[0];
}

function givePriority(attributes: AdmissionAttributes, spec: JsonObject, given: ComputedPriority): void {
  const value = numberAt(spec, 'priority');
  if (value !== undefined && value !== given.value) {
    throw forbidden(
      attributes,
      `the integer value of priority (${value}) must not be provided in pod spec; ` +
        `priority admission controller computed ${given.value} from the given PriorityClass name`,
    );
  }
  const policy = stringAt(spec, 'preemptionPolicy');
  if (policy !== '' && policy !== given.preemptionPolicy) {
    throw forbidden(
      attributes,
      `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; ` +
        `priority admission controller computed ${given.preemptionPolicy} from the given PriorityClass name`,
    );
  }
  if (given.className !== '') spec['priorityClassName'] = given.className;
  spec['priority'] = given.value;
  spec['preemptionPolicy'] = given.preemptionPolicy;
}
