import { performance } from 'node:perf_hooks';
import { equalValues } from '../scheme/model/equal-values.ts';
import { decodeManagers } from '../apply/managed-fields.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { yieldIfLong } from '../async/yield-if-long.ts';
import { countValues, tooManyValues, valueLimit } from '../codec/value-limit.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { getMeta, setMeta } from '../meta/object-meta.ts';
import { FieldDecodeError } from '../scheme/model/field-decode-error.ts';
import type { AdmissionAttributes, AdmittedVersion } from './admission.ts';
import { internalError } from './internal-error.ts';

/** A change of the written object by a webhook or policy. */
interface ObjectChange {
  /** The version in which the object is changed. */
  readonly version: AdmittedVersion;
  readonly fillDefaults: AdmissionAttributes['fillDefaults'];
  readonly by: 'policy' | 'webhook';
  /** Returns the changed document. It must not mutate its argument. */
  readonly change: (shown: JsonObject) => MaybePromise<JsonValue>;
  /** Makes the error for a result that cannot be decoded; absent: an InternalError. */
  readonly undecodable?: (error: FieldDecodeError, shown: JsonObject) => Error;
}

/**
 * Changes an object in a version. The result is decoded like a request body, gets defaults, and
 * replaces the content of `object`. Resolves to true if the object changed. Throws `StatusError`,
 * and the errors of `change`.
 */
export async function changeObject(
  object: JsonObject,
  { version, fillDefaults, by, change, undecodable = notDecoded }: ObjectChange,
): Promise<boolean> {
  const start = performance.now();
  const rest = (): Promise<void> | undefined => yieldIfLong(start);
  let shown: JsonObject = {};
  try {
    shown = await version.show(object);
    await rest();
    const patched = await change(shown);
    if (!isJsonObject(patched)) throw internalError(`the ${by} replaced the object with another value`);
    const typed = withType(patched, shown, by);
    if (countValues(patched, valueLimit) > valueLimit && countValues(shown, valueLimit) <= valueLimit) {
      throw tooManyValues();
    }
    await rest();
    const next = await version.read(typed);
    await rest();
    fillDefaults(next);
    keepReadableManagers(next, object);
    await rest();
    if (equalValues(next, object)) return false;
    replaceContent(object, next);
    return true;
  } catch (error) {
    if (error instanceof FieldDecodeError) throw undecodable(error, shown);
    throw error;
  }
}

function notDecoded(error: FieldDecodeError): Error {
  return internalError(error.message, error);
}

/** Restores kind and apiVersion: a patch may remove them, but not change them. */
function withType(patched: JsonObject, shown: JsonObject, by: ObjectChange['by']): JsonObject {
  const type: JsonObject = {};
  for (const field of ['kind', 'apiVersion'] as const) {
    const value = getOwn(patched, field) ?? '';
    if (value === shown[field]) continue;
    if (value !== '') throw internalError(`the ${by} changed the ${field} of the object`);
    setOwn(type, field, shown[field] ?? '');
  }
  return Object.keys(type).length > 0 ? { ...patched, ...type } : patched;
}

/** Restores managedFields that became unreadable, as kube-apiserver does. */
function keepReadableManagers(next: JsonObject, object: JsonObject): void {
  if (decodeManagers(getMeta(next, 'managedFields'))) return;
  setMeta(next, 'managedFields', getMeta(object, 'managedFields'));
}

function replaceContent(object: JsonObject, next: JsonObject): void {
  for (const field of Object.keys(object)) delete object[field];
  for (const [field, value] of Object.entries(next)) setOwn(object, field, value);
}
