import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { Lister } from '../../meta/lister.ts';
import type { PodSpec } from '../../gen/stored/core-v1.ts';
import type { PodGroupSpec } from '../../gen/stored/scheduling-v1alpha2.ts';
import type { PriorityClass } from '../../gen/stored/scheduling-v1.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** The values that a Pod gets from its priority class. */
interface ComputedPriority {
  /** '' without a class. */
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

interface ClassPriority extends ComputedPriority {
  /** True if the class applies to Pods that name none. */
  readonly isDefault: boolean;
}

/** Priority classes, indexed by `globalDefault`. */
type PriorityClasses = Lister<ClassPriority, 'default'>;

/** The priority of a Pod if neither it names a class nor a default exists. */
const noClass: ComputedPriority = Object.freeze({
  className: '',
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
});

/**
 * Resolves the priority class of a Pod to its value, which clients must not set themselves. Updates
 * keep the value (spec 4.10). With the feature for it, PodGroups get a value too. At most one class
 * may be the global default.
 */
export function priority({ identifiers, listerOf, emulated }: PluginContext): AdmissionPlugin {
  const group = `scheduling.${identifiers.apiDomain}`;
  const classes = listerOf({
    group,
    resource: 'priorityclasses',
    read: readClass,
    indexes: { default: ({ isDefault }) => (isDefault ? ['true'] : []) },
  });
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'podgroups', 'priorityclasses'],
    mutate(attributes) {
      if (isWriteTo(attributes, group, 'podgroups', 'CREATE')) {
        const isOn = emulated.isFeatureEnabled('WorkloadAwarePreemption');
        return isOn ? prioritiseGroup(attributes, attributes.object.spec, classes) : undefined;
      }
      if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      if (!oldObject) return prioritise(attributes, object.spec, classes);
      keepPriority(object.spec, oldObject.spec);
      return undefined;
    },
    validate(attributes) {
      const isClass = isWriteTo(attributes, group, 'priorityclasses', 'CREATE', 'UPDATE');
      return isClass && attributes.object.globalDefault ? checkOnlyDefault(attributes, classes) : undefined;
    },
  };
}

function prioritise(attributes: AdmissionAttributes, spec: PodSpec, classes: PriorityClasses): MaybePromise<void> {
  return andThen(priorityOf(attributes, spec, classes), (given) => givePriority(attributes, spec, given));
}

function prioritiseGroup(
  attributes: AdmissionAttributes,
  spec: PodGroupSpec,
  classes: PriorityClasses,
): MaybePromise<void> {
  return andThen(priorityOf(attributes, spec, classes), ({ className, value }) => {
    if (spec.priority !== undefined && spec.priority !== value) {
      const wanted = `must match the priority computed (${value}) based on the priority class set in the spec`;
      throw forbidden(attributes, `priority set in the pod group (${spec.priority}) ${wanted}`);
    }
    spec.priority = value;
    if (className !== '') spec.priorityClassName = className;
  });
}

async function checkOnlyDefault(attributes: AdmissionAttributes, classes: PriorityClasses): Promise<void> {
  const other = defaultOf(await classes.list({ by: ['default', 'true'], latest: true }, attributes.signal));
  if (!other || (attributes.operation === 'UPDATE' && other.className === attributes.name)) return;
  throw forbidden(
    attributes,
    `PriorityClass ${other.className} is already marked as default. Only one default can exist`,
  );
}

/** Clients that do not know the computed fields omit them in updates. */
function keepPriority(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

function priorityOf(
  attributes: AdmissionAttributes,
  { priorityClassName: className }: Pick<PodSpec, 'priorityClassName'>,
  classes: PriorityClasses,
): MaybePromise<ComputedPriority> {
  if (!className) {
    const defaults = classes.list({ by: ['default', 'true'] }, attributes.signal);
    return andThen(defaults, (found): ComputedPriority => defaultOf(found) ?? noClass);
  }
  return andThen(classes.get('', className, attributes.signal), (found): ComputedPriority => {
    if (!found) throw forbidden(attributes, `no PriorityClass with name ${className} was found`);
    return found;
  });
}

function readClass({ metadata, globalDefault = false, value, preemptionPolicy }: PriorityClass): ClassPriority {
  return {
    isDefault: globalDefault,
    className: metadata.name ?? '',
    value,
    preemptionPolicy: preemptionPolicy || noClass.preemptionPolicy,
  };
}

/** Concurrent creates can lead to several defaults; the lowest value applies. */
function defaultOf(defaults: readonly ClassPriority[]): ClassPriority | undefined {
  return defaults.toSorted((a, b) => a.value - b.value)[0];
}

function givePriority(attributes: AdmissionAttributes, spec: PodSpec, given: ComputedPriority): void {
  const { priority: value, preemptionPolicy: policy } = spec;
  if (value !== undefined && value !== given.value) {
    throw forbidden(
      attributes,
      `the integer value of priority (${value}) must not be provided in pod spec; ` +
        `priority admission controller computed ${given.value} from the given PriorityClass name`,
    );
  }
  if (policy !== undefined && policy !== given.preemptionPolicy) {
    throw forbidden(
      attributes,
      `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; ` +
        `priority admission controller computed ${given.preemptionPolicy} from the given PriorityClass name`,
    );
  }
  if (given.className !== '') spec.priorityClassName = given.className;
  spec.priority = given.value;
  spec.preemptionPolicy = given.preemptionPolicy;
}
