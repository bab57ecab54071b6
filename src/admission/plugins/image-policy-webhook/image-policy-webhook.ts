import { LRUCache } from 'lru-cache';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isTrue, objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { annotateAnswered } from '../../annotate-answered.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo, type ObjectWrite } from '../../is-write-to.ts';
import { parseImagePolicyConfiguration } from './image-policy-configuration.ts';

/** Posts an ImageReview to the backend and returns the answer. Rejects if there is none. */
export type ReviewImages = (review: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** The fields of a remembered answer that are used. */
interface ImageDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: readonly (readonly [string, string])[];
}

/** The limits of remembered answers (as in kube-apiserver) and of the characters in them. */
const mostAnswers = 1024;
const mostCharacters = 16 * 1024 * 1024;

/**
 * Asks a backend about the images of Pods (spec 4.10), in creates, updates and new ephemeral
 * containers. Throws `RangeError` for an invalid configuration, or if there is no `reviewImages`.
 */
export function imagePolicyWebhook(
  { apiDomain }: Identifiers,
  reviewImages: ReviewImages | undefined,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  const { allowTtlMs, denyTtlMs, defaultAllow } = parseImagePolicyConfiguration(configuration);
  if (!reviewImages) throw new RangeError('the backend is missing');
  const domain = `image-policy.${apiDomain}`;
  const auditPrefix = `imagepolicywebhook.${domain}/`;
  const apiVersion = `imagepolicy.${apiDomain}/v1alpha1`;
  const answers = new LRUCache<string, ImageDecision>({
    max: mostAnswers,
    maxSize: mostCharacters,
    sizeCalculation: ({ reason, auditAnnotations }, key) =>
      auditAnnotations.reduce((sum, [name, value]) => sum + name.length + value.length, key.length + reason.length + 1),
  });

  const decide = async (spec: JsonObject, signal: AbortSignal): Promise<ImageDecision> => {
    const key = JSON.stringify(spec);
    const known = answers.get(key);
    if (known) return known;
    const review = {
      kind: 'ImageReview',
      apiVersion,
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed: false },
    };
    const decision = decisionIn(await reviewImages(review, signal), apiVersion);
    const ttl = decision.isAllowed ? allowTtlMs : denyTtlMs;
    if (ttl > 0) answers.set(key, decision, { ttl });
    return decision;
  };

  async function check(attributes: ObjectWrite<Pod>): Promise<void> {
    let decision: ImageDecision;
    try {
      decision = await decide(specOf(attributes, domain), attributes.signal);
    } catch (error) {
      attributes.signal.throwIfAborted();
      if (!defaultAllow) throw forbidden(attributes, error instanceof Error ? error.message : String(error));
      // The Pod gets no mark: a validating plugin does not change the stored object.
      attributes.annotate(`${auditPrefix}failed-open`, 'true');
      return;
    }
    await annotateAnswered(attributes, auditPrefix, decision.auditAnnotations);
    if (decision.isAllowed) return;
    const why = decision.reason && `image policy webhook backend denied one or more images: ${decision.reason}`;
    throw forbidden(attributes, why || 'one or more images rejected by webhook backend');
  }

  return {
    name: 'ImagePolicyWebhook',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const isChecked =
        isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE') ||
        isWriteTo(attributes, '', 'pods/ephemeralcontainers', 'CREATE', 'UPDATE');
      return isChecked ? check(attributes) : undefined;
    },
  };
}

function specOf({ subresource, namespace, object: { metadata, spec } }: ObjectWrite<Pod>, domain: string): JsonObject {
  const lists = subresource === '' ? (['containers', 'initContainers'] as const) : (['ephemeralContainers'] as const);
  const containers = lists.flatMap((list): readonly AnyContainer[] => spec[list] ?? []);
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.includes(`.${domain}/`));
  return {
    containers: containers.map(({ image = '' }) => ({ image })),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    namespace,
  };
}

/** Throws an Error if the answer is of another kind than ImageReview; it may name none. */
function decisionIn(answer: JsonObject, apiVersion: string): ImageDecision {
  const [version, kind] = [stringAt(answer, 'apiVersion'), stringAt(answer, 'kind')];
  const isUnnamed = version === '' && kind === '';
  if (!isUnnamed && (kind !== 'ImageReview' || version !== apiVersion)) {
    throw new Error(`the image policy webhook backend did not answer with an ImageReview of ${apiVersion}`);
  }
  const status = objectAt(answer, 'status');
  return {
    isAllowed: isTrue(status, 'allowed'),
    reason: stringAt(status, 'reason'),
    auditAnnotations: stringEntriesAt(status, 'auditAnnotations'),
  };
}
