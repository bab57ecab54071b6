import { encodeJson } from '../../codec/encode-json.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../meta/read-field.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';

/** The versions of ConversionReview that this server sends. */
const reviewVersions = ['v1', 'v1beta1'] as const;

/** A version of ConversionReview. */
type ConversionReviewVersion = (typeof reviewVersions)[number];

/** A review as it is sent. */
interface ConversionReview {
  readonly uid: string;
  /** The group of reviews. */
  readonly group: string;
  readonly version: ConversionReviewVersion;
}

/** A response that has no converted objects. The message says why. */
export class ConversionResponseError extends Error {
  override readonly name = 'ConversionResponseError';
  /** The kind of the failure in metrics. */
  readonly failure: string;

  constructor(message: string, failure: string) {
    super(message);
    this.failure = failure;
  }
}

/** The first version that both sides know; undefined if there is none. */
export function reviewVersionOf(accepted: readonly string[]): ConversionReviewVersion | undefined {
  const first = accepted.find((version) => reviewVersions.some((known) => known === version));
  return reviewVersions.find((known) => known === first);
}

/** The JSON of a review. As in kube-apiserver it includes an empty response. */
export function conversionReviewText(
  { uid, group, version }: ConversionReview,
  objects: readonly JsonObject[],
  desiredAPIVersion: string,
): string {
  return encodeJson({
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion, objects: objects.map(withoutVersion) },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  });
}

/** Removes the resourceVersion: conversion gets objects as they are stored. */
function withoutVersion(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['resourceVersion'] === undefined) return object;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

const malformed = 'conversion_webhook_malformed_response_failure';
const refused = 'conversion_webhook_call_failure';

/**
 * The converted objects in the answer to a review, with the messages of kube-apiserver. Webhooks of
 * v1beta1 may omit the kind and the uid, as they always could. Throws `ConversionResponseError`.
 */
export function readConversionResponse(review: ConversionReview, body: JsonObject): readonly JsonValue[] {
  checkKind(review, body);
  const isLenient = review.version === 'v1beta1';
  const wanted = `${review.group}/${review.version}, Kind=ConversionReview`;
  const found = kindText(body);
  if (found !== wanted && !isLenient) {
    throw new ConversionResponseError(`expected webhook response of ${wanted}, got ${found}`, malformed);
  }
  if (!isSet(body, 'response')) throw new ConversionResponseError('no response provided', malformed);
  const response = objectAt(body, 'response');
  const uid = stringAt(response, 'uid');
  if (uid !== review.uid && !isLenient) {
    const why = `expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(uid)}`;
    throw new ConversionResponseError(why, malformed);
  }
  const result = objectAt(response, 'result');
  const status = stringAt(result, 'status');
  if (status !== 'Success') {
    const why = stringAt(result, 'message') || `response.result.status was '${status}', not 'Success'`;
    throw new ConversionResponseError(why, refused);
  }
  const converted = getOwn(response, 'convertedObjects');
  return Array.isArray(converted) ? converted : [];
}

/**
 * Refuses a response of another kind or version. If it names neither, the expected ones are
 * assumed.
 */
function checkKind({ group, version }: ConversionReview, body: JsonObject): void {
  const kind = stringAt(body, 'kind') || 'ConversionReview';
  const apiVersion = stringAt(body, 'apiVersion') || `${group}/${version}`;
  const found = reviewVersions.find((known) => apiVersion === `${group}/${known}`);
  if (kind !== 'ConversionReview' || !found) {
    const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw new ConversionResponseError(`${why} in scheme "pkg/util/webhook/client.go:71"`, refused);
  }
  if (found === version) return;
  const why = `converting (${found}.ConversionReview) to (${version}.ConversionReview): unknown conversion`;
  throw new ConversionResponseError(why, refused);
}

/** `<group>/<version>, Kind=<kind>`, as messages show the type of an object. */
export function kindText(object: JsonValue): string {
  const typed = isJsonObject(object) ? object : {};
  const { group = '', version = '' } = parseApiVersion(stringAt(typed, 'apiVersion')) ?? {};
  return `${group}/${version}, Kind=${stringAt(typed, 'kind')}`;
}
