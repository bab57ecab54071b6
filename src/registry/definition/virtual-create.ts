import type { AdmissionChain } from '../../admission/admission.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { RequestScope, WriteOptions } from './registry.ts';

/**
 * Answers a create of a resource that is not stored (spec 2.1), such as a review: returns the
 * object with its answer.
 */
export type VirtualCreate = (
  scope: RequestScope,
  object: JsonObject,
  options: VirtualCreateOptions,
) => Promise<JsonObject>;

interface VirtualCreateOptions extends WriteOptions {
  /** True if the client asks for an explanation of the answer: `?explain=true`. */
  readonly explain: boolean;
  readonly admission: AdmissionChain;
  /** The plural name of the resource. */
  readonly resource: string;
}
