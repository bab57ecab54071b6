import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { eachStringAt, isSet, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { decodePart } from '../../scheme/decode-object.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import type { ReviewVersion } from './configured-webhook.ts';
import { namespaceOfRequest } from '../matching/namespace-of-request.ts';

/** A review as it is sent. */
interface SentReview {
  readonly uid: string;
  readonly group: string;
  readonly version: ReviewVersion;
}

/** The objects of a request in one version, encoded once for all webhooks that get that version. */
export interface EncodedObjects {
  readonly object: string;
  readonly oldObject: string;
}

/** Encodes the objects of a request in a version. */
export function encodeObjects(
  { object, oldObject }: AdmissionAttributes,
  version: AdmittedVersion,
): MaybePromise<EncodedObjects> {
  const encode = (one: JsonObject | undefined): MaybePromise<string> =>
    one ? andThen(version.show(one), encodeJson) : 'null';
  return andThen(encode(object), (now) => andThen(encode(oldObject), (old) => ({ object: now, oldObject: old })));
}

/** The JSON of a review (spec 4.10, call to a webhook). */
export function reviewText(
  { uid, group, version }: SentReview,
  attributes: AdmissionAttributes,
  shown: AdmittedVersion,
  { object, oldObject }: EncodedObjects,
): string {
  const { operation, subresource, kind, user, dryRun } = attributes;
  const resource = { ...attributes.resource };
  const name = attributes.name || nameIn(attributes.object);
  const namespace = namespaceOfRequest(attributes);
  const head: JsonObject = {
    uid,
    kind: { ...shown.kind },
    resource: { ...shown.resource },
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: { ...kind },
    requestResource: resource,
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(name ? { name } : {}),
    ...(namespace ? { namespace } : {}),
    operation,
    userInfo: userOf(user),
  };
  const options = operation === 'CONNECT' ? 'null' : encodeJson(attributes.options());
  const request = `${encodeJson(head).slice(0, -1)},"object":${object},"oldObject":${oldObject},"dryRun":${dryRun},"options":${options}}`;
  return `{"kind":"AdmissionReview","apiVersion":"${group}/${version}","request":${request}}`;
}

function nameIn(object: JsonObject | undefined): string {
  return object && isJsonObject(getOwn(object, 'metadata')) ? nameOf(object) : '';
}

function userOf({ username, uid, groups, extra }: UserInfo): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    ...(username ? { username } : {}),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(extras.length > 0 ? { extra: Object.fromEntries(extras) } : {}),
  };
}

/** The response of a webhook. */
export interface ReviewResponse {
  readonly isAllowed: boolean;
  /** The Status of a refusal. */
  readonly status: JsonObject | undefined;
  /** The bytes of a patch; undefined if there is none. */
  readonly patch: Buffer | undefined;
  /** The type of the patch, which is checked when it is applied. */
  readonly patchType: string;
  readonly warnings: readonly string[];
  /** Read once, in steps. */
  readonly auditAnnotations: Iterable<readonly [key: string, value: string]>;
}

/** A response that is no answer to the review. The message says why. */
export class ReviewResponseError extends Error {
  override readonly name = 'ReviewResponseError';
}

/**
 * Checks the response to a review, with the messages of kube-apiserver. Only mutating webhooks may
 * send a patch. Webhooks of v1beta1 may omit the kind and the type of a patch, and their uid is
 * not checked. Throws `ReviewResponseError`.
 */
export function readResponse(review: SentReview, body: JsonObject, isMutating: boolean): ReviewResponse {
  const { group, version } = review;
  const isLenient = version === 'v1beta1';
  const [apiVersion, kind] = [stringAt(body, 'apiVersion'), stringAt(body, 'kind')];
  const isUnnamed = apiVersion === '' && kind === '';
  if (isUnnamed && !isSet(body, 'response')) throw absentResponse();
  if ((apiVersion !== `${group}/${version}` || kind !== 'AdmissionReview') && !(isLenient && isUnnamed)) {
    throw wrongKind(review, apiVersion, kind);
  }
  if (!isSet(body, 'response')) throw absentResponse();
  const response = decoded(version, objectAt(body, 'response'), body);
  const uid = stringAt(response, 'uid');
  if (uid !== review.uid && !isLenient) {
    throw new ReviewResponseError(`expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(uid)}`);
  }
  return {
    isAllowed: response['allowed'] === true,
    status: isSet(response, 'status') ? objectAt(response, 'status') : undefined,
    ...patchOf(response, objectAt(body, 'response'), isMutating, isLenient),
    warnings: stringsAt(response, 'warnings'),
    auditAnnotations: eachStringAt(response, 'auditAnnotations'),
  };
}

function absentResponse(): ReviewResponseError {
  return new ReviewResponseError('webhook response was absent');
}

function wrongKind({ group, version }: SentReview, apiVersion: string, kind: string): ReviewResponseError {
  const [found = '', rest = ''] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  const got = `${found}/${rest}, Kind=${kind}`;
  return new ReviewResponseError(`expected webhook response of ${group}/${version}, Kind=AdmissionReview, got ${got}`);
}

function decoded(version: ReviewVersion, response: JsonObject, body: JsonObject): JsonObject {
  const schema = schemaOf(`api.admission.${version}.AdmissionResponse`);
  try {
    if (!isJsonObject(getOwn(body, 'response'))) throw new ReviewResponseError('webhook response is not an object');
    const { auditAnnotations, ...rest } = response;
    const isDecoded = hasOnlyTexts(auditAnnotations);
    const value = decodePart(schema, isDecoded ? rest : response);
    if (!isJsonObject(value)) return {};
    return isDecoded ? { ...value, auditAnnotations } : value;
  } catch (error) {
    if (error instanceof FieldDecodeError)
      throw new ReviewResponseError(`webhook response is malformed: ${error.message}`);
    throw error;
  }
}

/**
 * True for a map of texts, which decoding would only copy: a copy of a hundred thousand
 * annotations exceeds the limit of a loop turn.
 */
function hasOnlyTexts(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

/** The patch in a response. The decoded response lacks an empty type, which `given` shows. */
function patchOf(
  response: JsonObject,
  given: JsonObject,
  isMutating: boolean,
  isLenient: boolean,
): Pick<ReviewResponse, 'patch' | 'patchType'> {
  const patch = stringAt(response, 'patch');
  const hasType = isSet(given, 'patchType');
  const patchType = hasType ? stringAt(given, 'patchType') : jsonPatch;
  if (!isMutating) {
    if (patch !== '') throw new ReviewResponseError('validating webhook may not return response.patch');
    if (hasType) throw new ReviewResponseError('validating webhook may not return response.patchType');
    return { patch: undefined, patchType };
  }
  if (!isLenient) checkPatchType(patch, hasType);
  if (patch === '') return { patch: undefined, patchType };
  if (patchType === '') throw new ReviewResponseError(`webhook returned invalid response.patchType of ""`);
  return { patch: Buffer.from(patch, 'base64'), patchType };
}

/** The only type of patches that the server applies. */
export const jsonPatch = 'JSONPatch';

function checkPatchType(patch: string, hasType: boolean): void {
  if (patch !== '' && !hasType) {
    throw new ReviewResponseError('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && hasType) {
    throw new ReviewResponseError('webhook returned response.patchType but not response.patch');
  }
}
