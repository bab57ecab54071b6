import type { LimitRange, LimitRangeItem } from '../../../gen/stored/core-v1.ts';
import { type Amounts, type AmountTexts, amountsIn } from '../../../kinds/core/amounts.ts';

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
export function readLimitRange({ metadata, spec }: LimitRange): KnownLimitRange {
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

function boundsIn({ min, max, ratio }: LimitItem): number {
  return min.size + max.size + ratio.size;
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
