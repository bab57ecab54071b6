import { encodeJson } from '../../codec/encode-json.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { Candidate } from './webhook-source.ts';

/** A call of a webhook in the audit record of its request. */
interface AuditedCall {
  readonly attributes: AdmissionAttributes;
  readonly candidate: Candidate;
  readonly apiDomain: string;
}

/** Notes a call of a mutating webhook, and whether it changed the object (spec 6.2). */
export function annotateMutation({ attributes, candidate, apiDomain }: AuditedCall, mutated: boolean): void {
  const { configuration, name: webhook } = candidate.webhook;
  const key = `mutation.webhook.admission.${apiDomain}/${placeOf(attributes, candidate)}`;
  attributes.annotate(key, encodeJson({ configuration, webhook, mutated }));
}

/** Notes the patch of a mutating webhook, for audit level Request and above (spec 6.2). */
export function annotatePatch({ attributes, candidate, apiDomain }: AuditedCall, patch: JsonValue): void {
  const { configuration, name: webhook } = candidate.webhook;
  const key = `patch.webhook.admission.${apiDomain}/${placeOf(attributes, candidate)}`;
  attributes.annotate(key, encodeJson({ configuration, webhook, patch, patchType: 'JSONPatch' }), 'Request');
}

/** Notes a webhook whose failure was ignored. */
export function annotateFailOpen(
  { attributes, candidate, apiDomain }: AuditedCall,
  type: 'mutating' | 'validating',
): void {
  const prefix = type === 'mutating' ? 'mutation' : 'validating';
  const key = `failed-open.${prefix}.webhook.admission.${apiDomain}/${placeOf(attributes, candidate)}`;
  attributes.annotate(key, candidate.webhook.name);
}

function placeOf({ reinvocation }: AdmissionAttributes, { index }: Candidate): string {
  return `round_${reinvocation.round}_index_${index}`;
}
