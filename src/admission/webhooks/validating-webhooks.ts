import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmittedVersion, Operation } from '../admission.ts';
import { type EncodedObjects, encodeObjects } from './admission-review.ts';
import { callWebhook, underFailurePolicy } from './call-webhook.ts';
import type { WebhookPluginDependencies } from './mutating-webhooks.ts';
import { annotateFailOpen } from './webhook-annotations.ts';
import type { WebhookSelection } from './webhook-selection.ts';
import type { Candidate } from './webhook-source.ts';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * ValidatingAdmissionWebhook (spec 4.10): calls the matching webhooks in parallel. All have
 * answered before the request goes on; the refusal of the first in order is that of the request.
 */
export function validatingWebhooks(dependencies: WebhookPluginDependencies): AdmissionPlugin {
  const { source, selectWebhooks } = dependencies;
  const run = (attributes: AdmissionAttributes, candidates: readonly Candidate[]): Promise<void> | undefined => {
    if (candidates.length === 0) return undefined;
    const call = (selection: WebhookSelection | undefined): Promise<void> | undefined =>
      selection && callAll(dependencies, attributes, selection.candidates.filter(selection.isSelected));
    const selection = selectWebhooks(candidates, attributes);
    return selection instanceof Promise ? selection.then(call) : call(selection);
  };
  return {
    name: 'ValidatingAdmissionWebhook',
    operations,
    validate(attributes) {
      const candidates = source.candidates(attributes);
      if (candidates instanceof Promise) return candidates.then((found) => run(attributes, found));
      return run(attributes, candidates);
    },
  };
}

async function callAll(
  { calls, apiDomain }: WebhookPluginDependencies,
  attributes: AdmissionAttributes,
  selected: readonly Candidate[],
): Promise<void> {
  attributes.signal.throwIfAborted();
  const objectsIn = encodedOnce(attributes);
  const results = await Promise.allSettled(
    selected.map(async (candidate) => {
      const call = { type: 'validating', candidate, attributes } as const;
      const objects = (): MaybePromise<EncodedObjects> => objectsIn(candidate.version);
      const result = await underFailurePolicy(calls, call, () => callWebhook(calls, call, objects));
      if (result === undefined) annotateFailOpen({ attributes, candidate, apiDomain }, 'validating');
    }),
  );
  const refusal = results.find((result) => result.status === 'rejected');
  if (refusal) throw refusal.reason;
}

/** Encodes the objects of a request once for each version. */
function encodedOnce(attributes: AdmissionAttributes): (version: AdmittedVersion) => MaybePromise<EncodedObjects> {
  const known = new Map<AdmittedVersion, MaybePromise<EncodedObjects>>();
  return (version) => {
    let objects = known.get(version);
    if (!objects) known.set(version, (objects = encodeObjects(attributes, version)));
    return objects;
  };
}
