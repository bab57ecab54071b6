import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import { objectAt, objectsAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { type Amounts, amountsAt } from '../../amounts.ts';

/** The limits for one type of objects in a limit range. */
export interface LimitItem {
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
export interface KnownLimitRange {
  readonly name: string;
  /** The items with defaults for containers. */
  readonly defaulting: readonly LimitItem[];
  /** The items with bounds. */
  readonly bounding: readonly LimitItem[];
  /** How many amounts it compares or sets for an object at most. */
  readonly size: number;
}

/** Parses a limit range. */
export function readLimitRange(limitRange: JsonObject): KnownLimitRange {
  const items = objectsAt(objectAt(limitRange, 'spec'), 'limits').map(readItem);
  return {
    name: nameOf(limitRange),
    defaulting: items.filter((item) => item.type === 'Container' && defaultsIn(item) > 0),
    bounding: items.filter((item) => boundsIn(item) > 0),
    size: items.reduce((total, item) => total + defaultsIn(item) + boundsIn(item), 0),
  };
}

function defaultsIn({ defaults }: LimitItem): number {
  return defaults.limits.length + defaults.requests.length;
}

function boundsIn({ min, max, ratio }: LimitItem): number {
  return min.size + max.size + ratio.size;
}

function readItem(limit: JsonObject): LimitItem {
  const sorted = (field: string) => stringEntriesAt(limit, field).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    type: stringAt(limit, 'type'),
    min: amountsAt(limit, 'min'),
    max: amountsAt(limit, 'max'),
    ratio: amountsAt(limit, 'maxLimitRequestRatio'),
    defaults: { limits: sorted('default'), requests: sorted('defaultRequest') },
  };
}
