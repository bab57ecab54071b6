import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { memoize } from '../../../meta/memoize.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { requestOf, useOf, useOfPod } from './resource-use.ts';
import { setDefaultAmounts } from './default-amounts.ts';
import { addLimitFaults } from './limit-faults.ts';
import { type KnownLimitRange, type LimitItem, readLimitRange } from './limit-item.ts';

/**
 * Maximum of amounts that are compared or set for one object. A namespace's limit ranges and a
 * Pod's containers multiply, and nothing else limits their product.
 */
const comparisonLimit = 75_000;

/** A namespace has the same list until one of its limit ranges changes. */
const inOrder = memoize((list: readonly KnownLimitRange[]) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1)));

/**
 * Gives the containers of new Pods the default amounts of their namespace's limit ranges, and
 * refuses Pods and claims outside the limits (spec section 5.8). Limit ranges apply in the order
 * of their names.
 */
export function limitRanger({ labelDomain }: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const ranges = listerOf({ group: '', resource: 'limitranges', read: readLimitRange });
  const annotation = `${labelDomain}/limit-ranger`;
  const withRanges = (
    { namespace, signal }: AdmissionAttributes,
    act: (found: readonly KnownLimitRange[]) => void,
  ): MaybePromise<void> => {
    const found = ranges.list({ namespace }, signal);
    const actInOrder = (list: readonly KnownLimitRange[]): void => {
      if (list.length > 0) act(inOrder(list));
    };
    return found instanceof Promise ? found.then(actInOrder) : actInOrder(found);
  };
  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'persistentvolumeclaims'],
    mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE')) return undefined;
      return withRanges(attributes, (found) => {
        refuseExcess(attributes, found, object);
        for (const range of found) setDefaultAmounts(object, range, annotation);
      });
    },
    validate(attributes) {
      const { object } = attributes;
      if (!object || !isLimited(attributes)) return undefined;
      return withRanges(attributes, (found) => {
        refuseExcess(attributes, found, object);
        for (const { bounding } of found) refuseFaults(attributes, bounding, object);
      });
    },
  };
}

/** Reports whether a write can change amounts: those of a Pod do not change. */
function isLimited(attributes: AdmissionAttributes): boolean {
  if (isWriteTo(attributes, '', 'pods', 'CREATE')) return true;
  const { oldObject = {} } = attributes;
  const isClaim = isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE', 'UPDATE');
  return isClaim && deletionTimestampOf(oldObject) === '';
}

function refuseExcess(attributes: AdmissionAttributes, found: readonly KnownLimitRange[], object: JsonObject): void {
  const amounts = found.reduce((total, { size }) => total + size, 0);
  const spec = objectAt(object, 'spec');
  const count = objectsAt(spec, 'containers').length + objectsAt(spec, 'initContainers').length;
  if (amounts * count <= comparisonLimit) return;
  throw forbidden(
    attributes,
    `${amounts} amounts in limit ranges and ${count} containers are more than can be compared`,
  );
}

function refuseFaults(attributes: AdmissionAttributes, items: readonly LimitItem[], object: JsonObject): void {
  const check = checks[attributes.resource.resource];
  if (!check || items.length === 0) return;
  const faults = new Set<string>();
  for (const item of items) check(item, objectAt(object, 'spec'), faults);
  if (faults.size === 0) return;
  const text = [...faults].join(', ');
  throw forbidden(attributes, faults.size === 1 ? text : `[${text}]`);
}

/** The checks of a limit on an object's spec, by resource; they add their messages to a set. */
const checks: Readonly<Record<string, (item: LimitItem, spec: JsonObject, faults: Set<string>) => void>> = {
  pods: (item, spec, faults) => {
    if (item.type === 'Pod') addLimitFaults(item, spec, useOfPod, faults);
    if (item.type !== 'Container') return;
    for (const container of objectsAt(spec, 'containers')) addLimitFaults(item, container, useOf, faults);
    for (const container of objectsAt(spec, 'initContainers')) addLimitFaults(item, container, useOf, faults);
  },
  persistentvolumeclaims: (item, spec, faults) => {
    if (item.type === 'PersistentVolumeClaim') addLimitFaults(item, spec, requestOf, faults);
  },
};
