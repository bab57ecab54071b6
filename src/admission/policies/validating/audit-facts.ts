import { encodeJson } from '../../../codec/encode-json.ts';
import type { AdmissionAttributes } from '../../admission.ts';

/** The most bytes of a fact. */
const longestValue = 10 * 1_024;

/** The facts that a policy adds to the audit record of a request, for all of its bindings. */
export class AuditFacts {
  readonly #values = new Map<string, Set<string>>();

  /** Adds a fact; the same one of another binding counts once. */
  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(cut(value)));
  }

  /** Writes the facts to the record; several values of a key are joined. */
  publish(policy: string, attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) attributes.annotate(`${policy}/${key}`, [...values].join(', '));
  }
}

function cut(value: string): string {
  if (Buffer.byteLength(value) <= longestValue) return value;
  return Buffer.from(value).subarray(0, longestValue).toString('utf8');
}

/** A rule that does not hold, for the audit record. */
interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** The characters that Go escapes in JSON. */
const escaped = /[<>&\u2028\u2029]/g;

/** Writes a rule that does not hold to the audit record. The first one of a request counts. */
export function auditFailure(attributes: AdmissionAttributes, apiDomain: string, failure: AuditedFailure): void {
  const { message, policy, binding, expressionIndex, validationActions } = failure;
  const json = encodeJson([
    { message, policy, binding, expressionIndex, validationActions: [...validationActions] },
  ]).replaceAll(escaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  attributes.annotate(`validation.policy.admission.${apiDomain}/validation_failure`, json);
}
