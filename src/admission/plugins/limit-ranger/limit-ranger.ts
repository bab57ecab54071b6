import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { PersistentVolumeClaimSpec, PodSpec, Container, Pod } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import { memoize } from '../../../meta/memoize.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { requestOf, type UseOf, useOf, useOfPod } from './resource-use.ts';
import { addLimitFaults } from './limit-faults.ts';
import { type KnownLimitRange, type LimitItem, readLimitRange } from './limit-item.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { setAnnotations } from '../../../meta/object-meta.ts';

/** The lists of containers, and how the annotation names their items. */
const containerLists = [
  ['containers', 'container'],
  ['initContainers', 'init container'],
] as const;

/** The kinds of defaults, and how the annotation names them. */
const defaultKinds = [
  ['requests', 'request'],
  ['limits', 'limit'],
] as const;

/**
 * Gives the containers of a Pod the default requests and limits of a limit range, and lists them
 * in an annotation. Mutates.
 */
function setDefaultAmounts(pod: Pod, { defaulting }: KnownLimitRange, annotation: string): void {
  if (defaulting.length === 0) return;
  const notes: string[] = [];
  for (const [list, kind] of containerLists) {
    for (const container of pod.spec[list] ?? []) {
      for (const item of defaulting) setAmounts(container, item, kind, notes);
    }
  }
  if (notes.length === 0) return;
  setAnnotations(pod, { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` });
}

/** Adds a note for each list of amounts that were missing. */
function setAmounts({ name, resources }: Container, { defaults }: LimitItem, kind: string, notes: string[]): void {
  for (const [field, word] of defaultKinds) {
    const own = resources[field] ?? {};
    const missing = defaults[field].filter(([resource]) => getOwn(own, resource) === undefined);
    if (missing.length === 0) continue;
    resources[field] = { ...own, ...Object.fromEntries(missing) };
    const names = missing.map(([resource]) => resource).join(', ');
    notes.push(`${names} ${word} for ${kind} ${name}`);
  }
}

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
