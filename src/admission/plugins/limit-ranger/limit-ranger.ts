import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type {
  PersistentVolumeClaimSpec,
  PodSpec,
  Container,
  Pod,
  LimitRange,
  LimitRangeItem,
} from '../../../gen/stored/core-v1.ts';
import { memoize } from '../../../meta/memoize.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { requestOf, type UseOf, useOf, useOfPod } from './resource-use.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { setAnnotations } from '../../../meta/object-meta.ts';
import { formatQuantity, type Quantity } from '../../../meta/quantity.ts';
import { type Amounts, type AmountTexts, amountsIn } from '../../../kinds/core/amounts.ts';

/** The amounts of one resource in an object. */
interface UsedAmount {
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

/** A rule about a resource, with its messages as in kube-apiserver. */
interface Constraint {
  readonly of: 'min' | 'max' | 'ratio';
  readonly subject: (resource: string, type: string) => string;
  /** The end of the message; '' if the amounts are within the bound. */
  readonly problem: (used: UsedAmount, bound: Quantity) => string;
}

const min: Constraint = {
  of: 'min',
  subject: (resource, type) => `minimum ${resource} usage per ${type}`,
  problem: ({ request, limit }, { nanos }) => {
    if (!request) return '.  No request is specified';
    if (request.nanos < nanos) return `, but request is ${formatQuantity(request)}`;
    return limit && limit.nanos < nanos ? `, but limit is ${formatQuantity(limit)}` : '';
  },
};

const max: Constraint = {
  of: 'max',
  subject: (resource, type) => `maximum ${resource} usage per ${type}`,
  problem: ({ request, limit }, { nanos }) => {
    if (!limit) return '.  No limit is specified';
    if (limit.nanos > nanos) return `, but limit is ${formatQuantity(limit)}`;
    return request && request.nanos > nanos ? `, but request is ${formatQuantity(request)}` : '';
  },
};

/** The maximum for objects that have only requests. */
const maxRequest: Constraint = {
  ...max,
  problem: ({ request }, { nanos }) => {
    if (!request) return '.  No request is specified';
    return request.nanos > nanos ? `, but request is ${formatQuantity(request)}` : '';
  },
};

const ratio: Constraint = {
  of: 'ratio',
  subject: (resource, type) => `${resource} max limit to request ratio per ${type}`,
  problem: ({ request, limit }, { nanos }) => {
    if (!request || request.nanos === 0n) return ', but no request is specified or request is 0';
    if (!limit || limit.nanos === 0n) return ', but no limit is specified or limit is 0';
    if (limit.nanos * 10n ** 9n <= request.nanos * nanos) return '';
    return `, but provided ratio is ${(Number(limit.nanos) / Number(request.nanos)).toFixed(6)}`;
  },
};

const constraintsOf: Readonly<Record<string, readonly Constraint[]>> = {
  Container: [min, max, ratio],
  Pod: [min, max, ratio],
  PersistentVolumeClaim: [min, maxRequest],
};

/** Adds the messages about amounts of an object that are outside a limit. */
function addLimitErrors(limit: LimitItem, use: UseOf, problems: Set<string>): void {
  const { type } = limit;
  for (const { of, subject, problem } of constraintsOf[type] ?? []) {
    for (const [resource, bound] of limit[of]) {
      const end = problem({ request: use('requests', resource), limit: use('limits', resource) }, bound);
      if (end !== '') problems.add(`${subject(resource, type)} is ${formatQuantity(bound)}${end}`);
    }
  }
}

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
export function limitRanger({ identifiers: { labelDomain }, listerOf }: PluginContext): AdmissionPlugin {
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
      // Only a resize changes the amounts of an existing Pod.
      if (isWriteTo(attributes, '', 'pods', 'CREATE') || isWriteTo(attributes, '', 'pods/resize', 'UPDATE')) {
        const { spec } = attributes.object;
        return withRanges(attributes, (found) => {
          refuseExcess(attributes, found, spec);
          for (const { bounding } of found) refuseErrors(attributes, bounding, podUses(spec));
        });
      }
      if (!isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      if (oldObject?.metadata.deletionTimestamp) return undefined;
      return withRanges(attributes, (found) => {
        for (const { bounding } of found) refuseErrors(attributes, bounding, claimUses(object.spec));
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

function refuseErrors(attributes: AdmissionAttributes, items: readonly LimitItem[], uses: UsesOf): void {
  const problems = new Set<string>();
  for (const item of items) for (const use of uses(item.type)) addLimitErrors(item, use, problems);
  if (problems.size === 0) return;
  const text = [...problems].join(', ');
  throw forbidden(attributes, problems.size === 1 ? text : `[${text}]`);
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

/** The limits for one type of objects in a limit range. */
interface LimitItem {
  /** `Container`, `Pod` or `PersistentVolumeClaim`. */
  readonly type: string;
  readonly min: Amounts;
  readonly max: Amounts;
  /** Maximum of limit divided by request. */
  readonly ratio: Amounts;
  /** The limits and requests of containers without own ones, sorted by name. */
  readonly defaults: Readonly<Record<'limits' | 'requests', readonly (readonly [name: string, amount: string])[]>>;
}

/** A limit range as the plugin reads it. */
interface KnownLimitRange {
  readonly name: string;
  /** The items with defaults for containers. */
  readonly defaulting: readonly LimitItem[];
  /** The items with bounds. */
  readonly bounding: readonly LimitItem[];
  /** How many amounts it compares or sets for an object at most. */
  readonly size: number;
}

/** Parses a limit range. */
function readLimitRange({ metadata, spec }: LimitRange): KnownLimitRange {
  const items = (spec.limits ?? []).map(readItem);
  return {
    name: metadata.name ?? '',
    defaulting: items.filter((item) => item.type === 'Container' && defaultsIn(item) > 0),
    bounding: items.filter((item) => boundsIn(item) > 0),
    size: items.reduce((total, item) => total + defaultsIn(item) + boundsIn(item), 0),
  };
}

function defaultsIn({ defaults }: LimitItem): number {
  return defaults.limits.length + defaults.requests.length;
}

function boundsIn(item: LimitItem): number {
  return item.min.size + item.max.size + item.ratio.size;
}

function sorted(texts: AmountTexts = {}): readonly (readonly [string, string])[] {
  return Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function readItem(limit: LimitRangeItem): LimitItem {
  return {
    type: limit.type,
    min: amountsIn(limit.min),
    max: amountsIn(limit.max),
    ratio: amountsIn(limit.maxLimitRequestRatio),
    defaults: { limits: sorted(limit.default), requests: sorted(limit.defaultRequest) },
  };
}
