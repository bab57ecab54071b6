import type {
  MatchCondition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../gen/stored/admissionregistration-v1.ts';
import { readWebhookServer, type WebhookServer } from '../../outbound/webhooks/webhook-server.ts';
import { runMaybeAsync } from '../../async/maybe-promise.ts';
import { type CompiledOnce, compiledOnce } from '../expressions/compiled-once.ts';
import { type CompiledConditions, compileConditions } from '../expressions/compile-conditions.ts';
import { type AdmissionRule, readRule } from '../matching/admission-rule.ts';
import { readSelector, type SelectLabels } from '../matching/read-selector.ts';

/** The versions of AdmissionReview that this server sends. */
const reviewVersions = ['v1', 'v1beta1'] as const;

/** A version of AdmissionReview. */
export type ReviewVersion = (typeof reviewVersions)[number];

/** A webhook of a configuration (spec 4.10), with everything that a request needs of it. */
export interface ConfiguredWebhook {
  readonly configuration: string;
  readonly name: string;
  /** Identifies the webhook among all: two of a configuration may have the same name. */
  readonly uid: string;
  readonly rules: readonly AdmissionRule[];
  /** True for matchPolicy Equivalent. */
  readonly matchesEquivalents: boolean;
  /**
   * Matches namespaces; undefined if it selects all. Throws `RangeError` if the selector is
   * invalid.
   */
  readonly namespaceSelector: SelectLabels | undefined;
  readonly objectSelector: SelectLabels | undefined;
  /** The match conditions, compiled on first use; undefined without conditions. */
  readonly conditions: CompiledOnce<CompiledConditions> | undefined;
  readonly server: WebhookServer;
  readonly timeoutMs: number;
  readonly ignoresFailure: boolean;
  /** True if it may be called twice for a request (reinvocationPolicy IfNeeded). */
  readonly isReinvoked: boolean;
  /** True if it may be called by dry runs. */
  readonly allowsDryRun: boolean;
  /** The first version that both sides know; undefined if there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
}

/** A configuration of webhooks. */
export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** Reads the webhooks of a configuration in version v1. */
export function readWebhooks(configuration: WebhookConfiguration): readonly ConfiguredWebhook[] {
  const selectors = new Map<string, SelectLabels>();
  const seen = new Map<string, number>();
  const { name: owner = '' } = configuration.metadata;
  return (configuration.webhooks ?? []).map((webhook) => {
    const { name } = webhook;
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return {
      configuration: owner,
      name,
      uid: `${owner}/${name}/${earlier}`,
      rules: (webhook.rules ?? []).map(readRule),
      matchesEquivalents: webhook.matchPolicy !== 'Exact',
      namespaceSelector: readSelector(webhook.namespaceSelector, selectors),
      objectSelector: readSelector(webhook.objectSelector, selectors),
      conditions: conditionsOf(webhook.matchConditions),
      server: readWebhookServer(webhook.clientConfig),
      timeoutMs: webhook.timeoutSeconds * 1000,
      ignoresFailure: webhook.failurePolicy === 'Ignore',
      isReinvoked: 'reinvocationPolicy' in webhook && webhook.reinvocationPolicy === 'IfNeeded',
      allowsDryRun: ['None', 'NoneOnDryRun'].includes(webhook.sideEffects ?? ''),
      reviewVersion: readReviewVersion(webhook.admissionReviewVersions ?? []),
    };
  });
}

function conditionsOf(conditions: readonly MatchCondition[] = []): ConfiguredWebhook['conditions'] {
  return conditions.length === 0 ? undefined : compiledOnce(() => runMaybeAsync(compileConditions(conditions)));
}

function readReviewVersion(accepted: readonly string[]): ReviewVersion | undefined {
  const first = accepted.find((version) => reviewVersions.some((known) => known === version));
  return reviewVersions.find((known) => known === first);
}
