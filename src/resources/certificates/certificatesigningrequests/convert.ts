import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/resource-definition.ts';
import { isSet, objectAt, objectsAt } from '../../../meta/read-field.ts';

/**
 * The conversions of certificate signing requests. In v1beta1 a condition without a status is true
 * (spec section 7), and a request without a signer is for `legacy-unknown`.
 */
export const requestConversions = {
  'certificates/v1beta1': { toStorage, fromStorage: (request) => request },
} satisfies Readonly<Record<string, Conversion>>;

function toStorage(request: JsonObject, { labelDomain }: Identifiers): JsonObject {
  return withSigner(withTrueConditions(request), `${labelDomain}/legacy-unknown`);
}

/** v1 cannot tell a missing signer from an empty one, which is refused. */
function withSigner(request: JsonObject, signerName: string): JsonObject {
  const spec = objectAt(request, 'spec');
  return isSet(spec, 'signerName') ? request : { ...request, spec: { ...spec, signerName } };
}

function withTrueConditions(request: JsonObject): JsonObject {
  const status = objectAt(request, 'status');
  if (!isSet(status, 'conditions')) return request;
  const conditions = objectsAt(status, 'conditions').map((condition) =>
    isSet(condition, 'status') ? condition : { ...condition, status: 'True' },
  );
  return { ...request, status: { ...status, conditions } };
}
