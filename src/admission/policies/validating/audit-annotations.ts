import { encodeJson } from '../../../codec/encode-json.ts';
import type { AdmissionAttributes } from '../../admission.ts';

/** The limit of the length of an audit annotation, in bytes. */
const longestValue = 10 * 1_024;

/** The audit annotations that a policy adds to a request, over all of its bindings. */
export class AuditAnnotations {
  readonly #values = new Map<string, Set<string>>();

  /** Adds a value of an annotation; equal values of several bindings are added once. */
  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(cut(value)));
  }

  /** Writes the annotations to the audit event; several values of a key are joined. */
  publish(policy: string, attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) attributes.annotate(`${policy}/${key}`, [...values].join(', '));
  }
}

function cut(value: string): string {
  if (Buffer.byteLength(value) <= longestValue) return value;
  return Buffer.from(value).subarray(0, longestValue).toString('utf8');
}

/** A failed validation with the action Audit. */
interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** The characters that Go escapes in JSON. */
const escaped = /[<>&\u2028\u2029]/g;

/** Writes a failed validation to the audit event. Only the first one of a request is written. */
export function auditFailure(attributes: AdmissionAttributes, apiDomain: string, failure: AuditedFailure): void {
  const { message, policy, binding, expressionIndex, validationActions } = failure;
  const json = encodeJson([
    { message, policy, binding, expressionIndex, validationActions: [...validationActions] },
  ]).replaceAll(escaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  attributes.annotate(`validation.policy.admission.${apiDomain}/validation_failure`, json);
}
