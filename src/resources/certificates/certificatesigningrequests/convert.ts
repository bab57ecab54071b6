import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/resource-definition.ts';
import { isSet, objectAt, objectsAt } from '../../../meta/read-field.ts';

/**
 * The conversions of certificate signing requests. In v1beta1 a condition without a status is true
 * (spec section 7).
 */
export const requestConversions = {
  'certificates/v1beta1': { toStorage, fromStorage: (request) => request },
} satisfies Readonly<Record<string, Conversion>>;

function toStorage(request: JsonObject): JsonObject {
  const status = objectAt(request, 'status');
  if (!isSet(status, 'conditions')) return request;
  const conditions = objectsAt(status, 'conditions').map((condition) =>
    isSet(condition, 'status') ? condition : { ...condition, status: 'True' },
  );
  return { ...request, status: { ...status, conditions } };
}
