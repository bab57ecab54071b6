import type { JsonObject } from '../../../meta/json-value.ts';
import type { Amounts } from '../../../kinds/core/amounts.ts';
import type { Operation } from '../../admission.ts';
import type { ScopeTerm } from './scope-term.ts';

/** How the objects of one resource, of type T, use quotas. */
export interface QuotaEvaluator<T extends JsonObject = JsonObject> {
  /** The writes that can change the use. */
  readonly operations: readonly Operation[];
  /** The sub-resource whose updates change the use. */
  readonly resizedBy?: string;
  /** Reports whether these objects can use a resource that a quota limits. */
  readonly uses: (resource: string) => boolean;
  /** The amounts that an object uses, at least one of them. */
  readonly usageOf: (object: T) => Amounts;
  /** Reports whether an object is in a scope; absent: objects are in no scope. */
  readonly isInScope?: (object: T, term: ScopeTerm) => boolean;
  /** The resources, of those that a quota limits, of which the object must state its use. */
  readonly missing?: (object: T, limited: readonly string[]) => readonly string[];
}
