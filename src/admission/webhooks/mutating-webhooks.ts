import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { memoize } from '../../meta/memoize.ts';
import { WebhookCallError } from '../../outbound/webhooks/webhook-call-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, Operation, Reinvocation, AdmittedVersion } from '../admission.ts';
import { type EncodedObjects, encodeObjects, jsonPatch } from './admission-review.ts';
import { callWebhook, type CallDependencies, type PhaseCall, underFailurePolicy } from './call-webhook.ts';
import { annotateFailOpen, annotateMutation, annotatePatch } from './webhook-annotations.ts';
import { internalError } from './webhook-errors.ts';
import type { SelectWebhooks, WebhookSelection } from './webhook-selection.ts';
import type { Candidate, WebhookSource } from './webhook-source.ts';
import {
  copyJsonObject,
  type JsonObject,
  getOwn,
  isJsonObject,
  type JsonValue,
  setOwn,
} from '../../meta/json-value.ts';
import { equalValues } from '../../apply/equal-values.ts';
import { decodeManagers } from '../../apply/managed-fields.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { JsonDecodeError } from '../../codec/decode-error.ts';
import { countValues, tooManyValues, valueLimit } from '../../codec/value-limit.ts';
import { getMeta, setMeta } from '../../meta/object-meta.ts';
import { applyLongPatch } from '../../patch/json-patch.ts';
import { PatchError } from '../../patch/patch-error.ts';
import { DecodeError } from '../../scheme/model/decode-error.ts';

/**
 * The webhooks of a request that are called again. A webhook with reinvocationPolicy IfNeeded is
 * called a second time if the object changed after its call: by another webhook, or by a plugin of
 * the second round.
 */
class WebhookRounds {
  readonly #called = new Set<string>();
  readonly #calledAgain = new Set<string>();
  #output: JsonObject | undefined;

  /** Begins the second round with the object that the other plugins made. */
  begin(object: JsonObject | undefined): void {
    if (this.#called.size > 0 && !equalValues(object, this.#output)) this.changed();
  }

  /** Ends a round. */
  end(object: JsonObject | undefined): void {
    if (this.#called.size > 0) this.#output = object && copyJsonObject(object);
  }

  /** Reports a change of the object: all webhooks that were called before have to see it. */
  changed(): void {
    for (const uid of this.#called) this.#calledAgain.add(uid);
    this.#called.clear();
  }

  /** Reports a call of a webhook with reinvocationPolicy IfNeeded. */
  called(uid: string): void {
    this.#called.add(uid);
  }

  /** True if a webhook is called in the second round. */
  isCalledAgain(uid: string): boolean {
    return this.#calledAgain.has(uid);
  }
}

/** The dependencies of both plugins. */
export interface WebhookPluginDependencies {
  readonly source: WebhookSource;
  readonly selectWebhooks: SelectWebhooks;
  readonly calls: CallDependencies;
  /** The domain of audit annotations. */
  readonly apiDomain: string;
}

const changing: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * MutatingAdmissionWebhook (spec 4.10): calls the matching webhooks one after the other. Each sees
 * the changes of those before it; all plugins run again after a change.
 */
export function mutatingWebhooks(dependencies: WebhookPluginDependencies): AdmissionPlugin {
  const { source, selectWebhooks } = dependencies;
  const roundsOf = memoize<Reinvocation, WebhookRounds>(() => new WebhookRounds());
  const run = (attributes: AdmissionAttributes, candidates: readonly Candidate[]): Promise<void> | undefined => {
    if (candidates.length === 0) return undefined;
    const call = (selection: WebhookSelection | undefined): Promise<void> | undefined =>
      selection && callEach(dependencies, { attributes, ...selection, roundsOf });
    const selection = selectWebhooks(candidates, attributes);
    return selection instanceof Promise ? selection.then(call) : call(selection);
  };
  return {
    name: 'MutatingAdmissionWebhook',
    operations: changing,
    mutate(attributes) {
      const candidates = source.candidates(attributes);
      if (candidates instanceof Promise) return candidates.then((found) => run(attributes, found));
      return run(attributes, candidates);
    },
  };
}

interface SelectedWebhooks extends WebhookSelection {
  readonly attributes: AdmissionAttributes;
  readonly roundsOf: (reinvocation: Reinvocation) => WebhookRounds;
}

async function callEach(
  dependencies: WebhookPluginDependencies,
  { attributes, candidates, isSelected, roundsOf }: SelectedWebhooks,
): Promise<void> {
  const { reinvocation } = attributes;
  const isSecond = reinvocation.round > 0;
  const rounds = roundsOf(reinvocation);
  if (isSecond) rounds.begin(attributes.object);
  else attributes.showSent?.();
  for (const candidate of candidates) {
    const { webhook } = candidate;
    // Asked again for each: the labels may have changed.
    if (!isSelected(candidate)) continue;
    // The second round calls nobody for the first time.
    if (isSecond && !rounds.isCalledAgain(webhook.uid)) continue;
    attributes.signal.throwIfAborted();
    if (await callOne(dependencies, { type: 'admit', candidate, attributes })) {
      rounds.changed();
      reinvocation.isWanted = true;
    }
    if (webhook.isReinvoked) rounds.called(webhook.uid);
  }
  rounds.end(attributes.object);
}

/** Calls a webhook and applies its patch; returns whether the object changed. */
async function callOne({ calls, apiDomain }: WebhookPluginDependencies, call: PhaseCall): Promise<boolean> {
  const { attributes, candidate } = call;
  const audit = { attributes, candidate, apiDomain };
  let isChanged = false;
  try {
    const result = await underFailurePolicy(calls, call, async () => {
      const objects = (): MaybePromise<EncodedObjects> => encodeObjects(attributes, candidate.version);
      const response = await callWebhook(calls, call, objects);
      const start = performance.now();
      const patch = response.patch && decodePatch(response.patch);
      if (patch === undefined || (Array.isArray(patch) && patch.length === 0)) return false;
      const { object } = attributes;
      if (!object) throw internalError(notSupported(candidate));
      if (response.patchType !== jsonPatch) {
        throw new WebhookCallError(`unsupported patch type ${JSON.stringify(response.patchType)}`);
      }
      await yieldIfLong(start);
      const { version } = candidate;
      isChanged = await applyWebhookPatch(object, {
        version,
        operations: patch,
        fillDefaults: (one) => attributes.fillDefaults(one),
      });
      annotatePatch(audit, patch);
      return isChanged;
    });
    if (result === undefined) annotateFailOpen(audit, 'mutating');
    return isChanged;
  } finally {
    annotateMutation(audit, isChanged);
  }
}

function notSupported({ webhook: { name } }: Candidate): string {
  return `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`;
}

/** Decodes the patch of a webhook. Throws `StatusError`. */
function decodePatch(bytes: Buffer): JsonValue {
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
async function applyWebhookPatch(
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
