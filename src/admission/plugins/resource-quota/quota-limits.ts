import type { ResourceQuota } from '../../../gen/stored/core-v1.ts';
import { formatQuantity } from '../../../meta/quantity.ts';
import { type Amounts, amountsIn } from '../../../kinds/core/amounts.ts';
import { type ScopeTerm, scopeTermsOf } from './scope-term.ts';

/** A quota. Its status counts: the limits of its spec apply once a controller has copied them. */
export interface QuotaLimits {
  readonly name: string;
  readonly uid: string;
  /** The revision of the object. */
  readonly revision: number;
  readonly hard: Amounts;
  readonly used: Amounts;
  /** The conditions on the objects that it counts. */
  readonly terms: readonly ScopeTerm[];
  /** The object as it is stored. */
  readonly object: ResourceQuota;
}

/** Reads a quota. Keeps the object. */
export function readQuota(object: ResourceQuota): QuotaLimits {
  const { metadata, spec, status } = object;
  const { name = '', uid = '', resourceVersion } = metadata;
  return {
    name,
    uid,
    revision: Number(resourceVersion ?? ''),
    hard: amountsIn(status.hard),
    used: amountsIn(status.used),
    terms: scopeTermsOf(spec),
    object,
  };
}

/** The object of a quota with other used amounts. */
export function withUsed({ object }: QuotaLimits, used: Amounts): ResourceQuota {
  const texts = [...used].map(([name, amount]) => [name, formatQuantity(amount)] as const);
  return { ...object, status: { ...object.status, used: Object.fromEntries(texts) } };
}
