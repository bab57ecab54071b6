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
  readonly items: readonly LimitItem[];
  /** How many amounts it compares or sets for an object at most. */
  readonly size: number;
}

/** Parses a limit range. */
export function readLimitRange(limitRange: JsonObject): KnownLimitRange {
  const items = objectsAt(objectAt(limitRange, 'spec'), 'limits').map(readItem);
  const sizes = items.map(
    ({ min, max, ratio, defaults }) =>
      min.size + max.size + ratio.size + defaults.limits.length + defaults.requests.length,
  );
  return { name: nameOf(limitRange), items, size: sizes.reduce((total, size) => total + size, 0) };
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
