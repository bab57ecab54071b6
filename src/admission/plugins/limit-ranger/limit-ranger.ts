import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { PersistentVolumeClaimSpec, PodSpec } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { memoize } from '../../../meta/memoize.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { requestOf, type UseOf, useOf, useOfPod } from './resource-use.ts';
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
      if (!isWriteTo(attributes, '', 'pods', 'CREATE')) return undefined;
      return withRanges(attributes, (found) => {
        refuseExcess(attributes, found, attributes.object.spec);
        for (const range of found) setDefaultAmounts(attributes.object, range, annotation);
      });
    },
    validate(attributes) {
      // The amounts of a Pod do not change.
      if (isWriteTo(attributes, '', 'pods', 'CREATE')) {
        const { spec } = attributes.object;
        return withRanges(attributes, (found) => {
          refuseExcess(attributes, found, spec);
          for (const { bounding } of found) refuseFaults(attributes, bounding, podUses(spec));
        });
      }
      if (!isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      if (oldObject?.metadata.deletionTimestamp) return undefined;
      return withRanges(attributes, (found) => {
        for (const { bounding } of found) refuseFaults(attributes, bounding, claimUses(object.spec));
      });
    },
  };
}

function refuseExcess(
  attributes: AdmissionAttributes,
  found: readonly KnownLimitRange[],
  { containers, initContainers }: PodSpec,
): void {
  const amounts = found.reduce((total, { size }) => total + size, 0);
  const count = (containers ?? []).length + (initContainers ?? []).length;
  if (amounts * count <= comparisonLimit) return;
  throw forbidden(
    attributes,
    `${amounts} amounts in limit ranges and ${count} containers are more than can be compared`,
  );
}

function refuseFaults(attributes: AdmissionAttributes, items: readonly LimitItem[], uses: UsesOf): void {
  const faults = new Set<string>();
  for (const item of items) for (const use of uses(item.type)) addLimitFaults(item, use, faults);
  if (faults.size === 0) return;
  const text = [...faults].join(', ');
  throw forbidden(attributes, faults.size === 1 ? text : `[${text}]`);
}

/** The uses of an object that a limit of a type bounds. */
type UsesOf = (type: string) => readonly UseOf[];

function podUses(spec: PodSpec): UsesOf {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const byType = new Map([
    ['Pod', [useOfPod(spec)]],
    ['Container', containers.map(useOf)],
  ]);
  return (type) => byType.get(type) ?? [];
}

function claimUses(spec: PersistentVolumeClaimSpec): UsesOf {
  return (type) => (type === 'PersistentVolumeClaim' ? [requestOf(spec)] : []);
}
