import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { memoize } from '../../meta/memoize.ts';
import { WebhookCallError } from '../../outbound/webhooks/webhook-call-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, Operation, Reinvocation } from '../admission.ts';
import { changeObject } from '../change-object.ts';
import { internalError } from '../internal-error.ts';
import { InvocationRounds } from '../invocation-rounds.ts';
import { type EncodedObjects, encodeObjects, jsonPatch } from './admission-review.ts';
import { callWebhook, type CallDependencies, type PhaseCall, underFailurePolicy } from './call-webhook.ts';
import { annotateFailOpen, annotateMutation, annotatePatch } from './webhook-annotations.ts';
import { pacer } from '../expressions/pacer.ts';
import type { CheckConditions } from './webhook-conditions.ts';
import type { SelectWebhooks, WebhookSelection } from './webhook-selection.ts';
import type { Candidate, WebhookSource } from './webhook-source.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { JsonDecodeError } from '../../codec/decode-error.ts';
import { applyLongPatch } from '../../patch/json-patch.ts';
import { PatchError } from '../../patch/patch-error.ts';

/** The dependencies of both plugins. */
export interface WebhookPluginDependencies {
  readonly source: WebhookSource;
  readonly selectWebhooks: SelectWebhooks;
  readonly meetsConditions: CheckConditions;
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
  const roundsOf = memoize<Reinvocation, InvocationRounds>(() => new InvocationRounds());
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
  readonly roundsOf: (reinvocation: Reinvocation) => InvocationRounds;
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
  const rest = pacer();
  for (const candidate of candidates) {
    const { webhook } = candidate;
    // Asked again for each: the labels may have changed.
    if (!isSelected(candidate)) continue;
    // The second round calls nobody for the first time.
    if (isSecond && !rounds.isCalledAgain(webhook.uid)) continue;
    if (!(await dependencies.meetsConditions(candidate, attributes))) {
      await rest();
      continue;
    }
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
      isChanged = await changeObject(object, {
        version: candidate.version,
        fillDefaults: (one) => attributes.fillDefaults(one),
        by: 'webhook',
        // The patch of a webhook is limited by the size of its response, not by the limit of
        // clients' patches.
        change: (shown) => refusable(() => applyLongPatch(shown, patch)),
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

/** Turns the errors of a patch that cannot be applied into `StatusError`. */
async function refusable(apply: () => MaybePromise<JsonValue>): Promise<JsonValue> {
  try {
    return await apply();
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message, error);
    throw error;
  }
}
