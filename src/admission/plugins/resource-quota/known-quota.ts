import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf, resourceVersionOf, uidOf } from '../../../meta/object-meta.ts';
import { formatQuantity } from '../../../meta/quantity.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { type Amounts, amountsAt } from '../../amounts.ts';
import { type ScopeTerm, scopeTermsOf } from './scope-term.ts';

/** A quota. Its status counts: what its spec allows applies once a controller has copied it. */
export interface KnownQuota {
  readonly name: string;
  readonly uid: string;
  /** The revision of the object. */
  readonly revision: number;
  readonly hard: Amounts;
  readonly used: Amounts;
  /** The conditions on the objects that it counts. */
  readonly terms: readonly ScopeTerm[];
  /** The object as it is stored. */
  readonly object: JsonObject;
}

/** Reads a quota. Keeps the object. */
export function readQuota(object: JsonObject): KnownQuota {
  const status = objectAt(object, 'status');
  return {
    name: nameOf(object),
    uid: uidOf(object),
    revision: Number(resourceVersionOf(object)),
    hard: amountsAt(status, 'hard'),
    used: amountsAt(status, 'used'),
    terms: scopeTermsOf(objectAt(object, 'spec')),
    object,
  };
}

/** The object of a quota with other used amounts. */
export function withUsed({ object }: KnownQuota, used: Amounts): JsonObject {
  const texts = [...used].map(([name, amount]) => [name, formatQuantity(amount)] as const);
  return { ...object, status: { ...objectAt(object, 'status'), used: Object.fromEntries(texts) } };
}
