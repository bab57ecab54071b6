import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { type BuiltInSigner, signerNames } from '../../../pki/built-in-signers.ts';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { signerRules } from '../../../pki/signer-rules.ts';

/**
 * The conversions of certificate signing requests. In v1beta1 a condition without a status is true
 * (spec section 7), and a request without a signer is for the one that its content implies.
 */
export const requestConversions = {
  'certificates/v1beta1': { toStorage, fromStorage: (request) => request },
} satisfies Readonly<Record<string, Conversion>>;

function toStorage(request: JsonObject, identifiers: Identifiers): JsonObject {
  return withSigner(withTrueConditions(request), identifiers);
}

/** v1 cannot tell a missing signer from an empty one, which is refused. */
function withSigner(request: JsonObject, identifiers: Identifiers): JsonObject {
  const spec = objectAt(request, 'spec');
  if (isSet(spec, 'signerName')) return request;
  const signerName = signerNames(identifiers)[impliedSigner(spec)];
  return { ...request, spec: { ...spec, signerName } };
}

/** The signer of nodes whose rules a request keeps; else `legacy-unknown`, as for invalid ones. */
function impliedSigner(spec: JsonObject): BuiltInSigner {
  try {
    const request = parseEncodedRequest(stringAt(spec, 'request'));
    const usages = stringsAt(spec, 'usages');
    const keepsRules = (signer: BuiltInSigner): boolean => signerRules[signer](request, usages) === undefined;
    return (['node-client', 'node-serving'] as const).find(keepsRules) ?? 'legacy-unknown';
  } catch (error) {
    if (error instanceof PkiError) return 'legacy-unknown';
    throw error;
  }
}

function withTrueConditions(request: JsonObject): JsonObject {
  const status = objectAt(request, 'status');
  if (!isSet(status, 'conditions')) return request;
  const conditions = objectsAt(status, 'conditions').map((condition) =>
    isSet(condition, 'status') ? condition : { ...condition, status: 'True' },
  );
  return { ...request, status: { ...status, conditions } };
}
