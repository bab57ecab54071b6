import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { useOf, useOfPod } from './resource-use.ts';
import { setDefaultAmounts } from './default-amounts.ts';
import { limitFaults } from './limit-faults.ts';
import { type KnownLimitRange, type LimitItem, readLimitRange } from './limit-item.ts';

/**
 * Maximum of amounts that are compared or set for one object. A namespace's limit ranges and a
 * Pod's containers multiply, and nothing else limits their product.
 */
const comparisonLimit = 75_000;

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
      if (list.length > 0) act(list.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    };
    return found instanceof Promise ? found.then(actInOrder) : actInOrder(found);
  };
  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
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
        for (const { items } of found) refuseFaults(attributes, items, object);
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

function containersOf(object: JsonObject): readonly JsonObject[] {
  const spec = objectAt(object, 'spec');
  return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
}

function refuseExcess(attributes: AdmissionAttributes, found: readonly KnownLimitRange[], object: JsonObject): void {
  const amounts = found.reduce((total, { size }) => total + size, 0);
  const count = containersOf(object).length;
  if (amounts * count <= comparisonLimit) return;
  throw forbidden(
    attributes,
    `${amounts} amounts in limit ranges and ${count} containers are more than can be compared`,
  );
}

function refuseFaults(attributes: AdmissionAttributes, items: readonly LimitItem[], object: JsonObject): void {
  const check = checks[attributes.resource.resource];
  const faults = new Set(check ? items.flatMap((item) => check(item, objectAt(object, 'spec'))) : []);
  if (faults.size === 0) return;
  const text = [...faults].join(', ');
  throw forbidden(attributes, faults.size === 1 ? text : `[${text}]`);
}

/** The checks of a limit on an object's spec, by resource. */
const checks: Readonly<Record<string, (item: LimitItem, spec: JsonObject) => readonly string[]>> = {
  pods: (item, spec) => {
    if (item.type === 'Pod') return limitFaults(item, useOfPod(spec));
    return item.type === 'Container'
      ? containersOf({ spec }).flatMap((container) => limitFaults(item, useOf(container)))
      : [];
  },
  persistentvolumeclaims: (item, spec) =>
    item.type === 'PersistentVolumeClaim' ? limitFaults(item, { ...useOf(spec), limits: new Map() }) : [],
};
