import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { CustomResourceDefinition } from '../../gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { CallError } from '../../outbound/call-error.ts';
import { callErrorOf } from '../../outbound/webhooks/webhook-call-error.ts';
import type { Tracing } from '../../tracing/span.ts';
import type { WebhookClients } from '../../outbound/webhooks/webhook-clients.ts';
import { readWebhookServer, type WebhookServer } from '../../outbound/webhooks/webhook-server.ts';
import type { ConversionResult, ConvertObjects } from '../../registry/definition/resource-definition.ts';
import { StatusError } from '../../status/status-error.ts';
import { checkConverted } from './check-converted.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import {
  ConversionResponseError,
  conversionReviewText,
  kindText,
  readConversionResponse,
  reviewVersionOf,
} from './conversion-review.ts';

/** The dependencies of conversion webhooks. */
export interface ConversionWebhooks {
  readonly clients: WebhookClients;
  readonly metrics: ConversionMetrics;
  /** The group of ConversionReviews. */
  readonly group: string;
  /** Creates spans of calls; absent if the server does not trace. */
  readonly tracing?: Tracing | undefined;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The time of a call, as in kube-apiserver. */
const timeoutSeconds = 30;

const callFailure = 'conversion_webhook_call_failure';
const partialFailure = 'conversion_webhook_partial_response_failure';
const objectFailure = 'conversion_webhook_invalid_converted_object_failure';

/**
 * The conversion strategy `Webhook` of a definition: posts a ConversionReview for the objects of
 * each call. A call that fails fails the conversion of all of them.
 */
export function conversionWebhook(
  webhooks: ConversionWebhooks,
  { metadata, spec }: CustomResourceDefinition,
): ConvertObjects {
  const { webhook } = spec.conversion;
  const version = reviewVersionOf(webhook?.conversionReviewVersions ?? []);
  const server = readWebhookServer(webhook?.clientConfig ?? {});
  const { name: definition = '' } = metadata;
  return async (objects, apiVersion) => {
    const sources = objects.filter((object) => stringAt(object, 'apiVersion') !== apiVersion);
    const [first] = sources;
    if (!first) return objects.map((object) => ({ object }));
    const start = performance.now();
    const review = version && { uid: randomUUID(), group: webhooks.group, version };
    const convert = async () => review && converted(webhooks, server, { review, sources, apiVersion });
    const attributes = () => ({
      'custom-resource-definition': definition,
      'desired-api-version': apiVersion,
      'object-count': sources.length,
      UID: review?.uid ?? '',
    });
    const called = await (webhooks.tracing?.child('Call conversion webhook', attributes, convert) ?? convert());
    const { results, failure } = called ?? failed(sources, 'no supported conversion review versions', callFailure);
    webhooks.metrics.called({
      definition,
      fromVersion: versionIn(stringAt(first, 'apiVersion')),
      toVersion: versionIn(apiVersion),
      seconds: (performance.now() - start) / 1000,
      failure,
    });
    const rest = results.values();
    return objects.map((object) =>
      stringAt(object, 'apiVersion') === apiVersion ? { object } : (rest.next().value ?? { object }),
    );
  };
}

interface ReviewedObjects {
  readonly review: Parameters<typeof readConversionResponse>[0];
  readonly sources: readonly JsonObject[];
  readonly apiVersion: string;
}

/** The results of a call, and the kind of its failure in metrics, '' for a success. */
interface CallOutcome {
  readonly results: readonly ConversionResult[];
  readonly failure: string;
}

async function converted(
  webhooks: ConversionWebhooks,
  server: WebhookServer,
  { review, sources, apiVersion }: ReviewedObjects,
): Promise<CallOutcome> {
  const webhook = `conversion webhook for ${kindText(sources[0] ?? {})}`;
  try {
    const body = await post(webhooks, server, conversionReviewText(review, sources, apiVersion));
    const objects = readConversionResponse(review, body);
    if (objects.length !== sources.length) {
      const why = `${webhook} returned ${objects.length} objects, expected ${sources.length}`;
      return failed(sources, why, partialFailure);
    }
    const checked = sources.map((source, index) => checkConverted(source, objects[index] ?? null, apiVersion));
    return {
      results: checked.map((one) => ('object' in one ? one : { error: failureOf(one.problem) })),
      failure: checked.some((one) => 'problem' in one) ? objectFailure : '',
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const failure = error instanceof ConversionResponseError ? error.failure : callFailure;
    return failed(sources, `${webhook} failed: ${error.message}`, failure);
  }
}

async function post({ clients, signal }: ConversionWebhooks, server: WebhookServer, body: string): Promise<JsonObject> {
  const url = `${server.url}?timeout=${timeoutSeconds}s`;
  try {
    return await clients.post(server, { url, body, timeoutMs: timeoutSeconds * 1000, signal });
  } catch (error) {
    signal.throwIfAborted();
    const found = callErrorOf(url, error);
    if (!(error instanceof CallError) || error.code !== 'timeout') throw found;
    throw new Error(`${found.message} (Client.Timeout exceeded while awaiting headers)`, { cause: error });
  }
}

function failed(sources: readonly JsonObject[], why: string, failure: string): CallOutcome {
  return { results: sources.map(() => ({ error: failureOf(why) })), failure };
}

/** A 500 without a reason, as in kube-apiserver. */
function failureOf(message: string): StatusError {
  return new StatusError('', message);
}

function versionIn(apiVersion: string): string {
  return parseApiVersion(apiVersion)?.version ?? '';
}
