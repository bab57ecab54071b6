import type { JsonObject } from '../../../meta/json-value.ts';

/** The Status that answers the create of a sub-resource which returns no object. */
export function success(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
