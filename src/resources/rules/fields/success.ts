import type { JsonObject } from '../../../meta/json-value.ts';

/** The Status that answers an action which has no object of its own. */
export function success(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
