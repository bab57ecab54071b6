import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { equalValues } from '../../apply/equal-values.ts';
import { decodeManagers } from '../../apply/managed-fields.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { JsonDecodeError } from '../../codec/json-decode-error.ts';
import { countValues, tooManyValues, valueLimit } from '../../codec/value-limit.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { getMeta, setMeta } from '../../meta/object-meta.ts';
import { applyLongPatch } from '../../patch/json-patch.ts';
import { PatchError } from '../../patch/patch-error.ts';
import { DecodeError } from '../../scheme/model/decode-error.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import { internalError } from './webhook-errors.ts';

/** Decodes the patch of a webhook. Throws `StatusError`. */
export function decodePatch(bytes: Buffer): JsonValue {
  try {
    return decodeJson(bytes, { duplicates: false }).value;
  } catch (error) {
    if (error instanceof JsonDecodeError) throw internalError(error.message, error);
    throw error;
  }
}

interface WebhookPatch {
  readonly version: AdmittedVersion;
  readonly operations: JsonValue;
  readonly fillDefaults: AdmissionAttributes['fillDefaults'];
}

/**
 * Applies the JSON Patch of a webhook to an object in the version that the webhook got. The result
 * is decoded as a request body is, with defaults, and replaces the content of `object`. Resolves to
 * whether it differs. Throws `StatusError`.
 */
export async function applyWebhookPatch(
  object: JsonObject,
  { version, operations, fillDefaults }: WebhookPatch,
): Promise<boolean> {
  const start = performance.now();
  const rest = (): Promise<void> | undefined => yieldIfLong(start);
  try {
    const shown = await version.show(object);
    await rest();
    // The size of its response limits the patch of a webhook: clients have another limit.
    const patched = await applyLongPatch(shown, operations);
    if (!isJsonObject(patched)) throw internalError('the webhook replaced the object with another value');
    const typed = withType(patched, shown);
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
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message, error);
    throw error;
  }
}

/** Restores kind and apiVersion, which a patch may remove but not change. */
function withType(patched: JsonObject, shown: JsonObject): JsonObject {
  const type: JsonObject = {};
  for (const field of ['kind', 'apiVersion'] as const) {
    const value = getOwn(patched, field) ?? '';
    if (value === shown[field]) continue;
    if (value !== '') throw internalError(`the webhook changed the ${field} of the object`);
    setOwn(type, field, shown[field] ?? '');
  }
  return Object.keys(type).length > 0 ? { ...patched, ...type } : patched;
}

/** Restores managers that a webhook made unreadable, as kube-apiserver does. */
function keepReadableManagers(next: JsonObject, object: JsonObject): void {
  if (decodeManagers(getMeta(next, 'managedFields'))) return;
  setMeta(next, 'managedFields', getMeta(object, 'managedFields'));
}

function replaceContent(object: JsonObject, next: JsonObject): void {
  for (const field of Object.keys(object)) delete object[field];
  for (const [field, value] of Object.entries(next)) setOwn(object, field, value);
}
