import { isAbsolute } from 'node:path';
import { decodeJsonAnswer } from '../../codec/decode-large.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { isSet, stringAt } from '../../meta/read-field.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { loadCredentials } from '../../outbound/config/load-client-config.ts';
import type { UserCredentials } from '../../outbound/config/read-user.ts';
import type { ResolveService } from '../../outbound/service-resolver.ts';
import type { Tracing } from '../../tracing/span.ts';
import { webhookClients, type WebhookTunnels } from '../../outbound/webhooks/webhook-clients.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { AdmissionPlugin, AdmissionAttributes, AdmittedVersion, Operation } from '../admission.ts';
import { checkKind, configuredObject, refuseErrors } from '../check-configuration.ts';
import { type WebhookLog, callWebhook, underFailurePolicy } from './call-webhook.ts';
import { mutatingWebhooks, type WebhookPluginDependencies } from './mutating-webhooks.ts';
import type { StaticObjectsOf } from '../static-objects.ts';
import { conditionMetricsOf } from '../expressions/condition-metrics.ts';
import { pacer } from '../expressions/pacer.ts';
import type { DecideCheck } from '../expressions/request-inputs.ts';
import { conditionsCheck } from './webhook-conditions.ts';
import { webhookMetrics } from './webhook-metrics.ts';
import { webhookSelector, type WebhookSelection } from './webhook-selection.ts';
import { webhookSource, type Candidate } from './webhook-source.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type EncodedObjects, encodeObjects } from './admission-review.ts';
import { annotateFailOpen } from './webhook-annotations.ts';
import { memoize } from '../../meta/memoize.ts';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * ValidatingAdmissionWebhook (spec 4.10): calls the matching webhooks in parallel. All have
 * answered before the request goes on; the request gets the refusal of the first in order.
 */
function validatingWebhooks(dependencies: WebhookPluginDependencies): AdmissionPlugin {
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
  { calls, apiDomain, meetsConditions }: WebhookPluginDependencies,
  attributes: AdmissionAttributes,
  selected: readonly Candidate[],
): Promise<void> {
  attributes.signal.throwIfAborted();
  const objectsIn = encodedOnce(attributes);
  const callOne = async (candidate: Candidate): Promise<void> => {
    if (!(await meetsConditions(candidate, attributes))) return;
    const call = { type: 'validating', candidate, attributes } as const;
    const objects = (): MaybePromise<EncodedObjects> => objectsIn(candidate.version);
    const result = await underFailurePolicy(calls, call, () => callWebhook(calls, call, objects));
    if (result === undefined) annotateFailOpen({ attributes, candidate, apiDomain }, 'validating');
  };
  const pending: Promise<readonly PromiseSettledResult<void>[]>[] = [];
  const rest = pacer();
  for (const candidate of selected) {
    pending.push(Promise.allSettled([callOne(candidate)]));
    // The conditions of other webhooks may have taken long.
    const pause = rest();
    if (pause) await pause;
  }
  const results = (await Promise.all(pending)).flat();
  const refusal = results.find((result) => result.status === 'rejected');
  if (refusal) throw refusal.reason;
}

/** Encodes the objects of a request once for each version. */
function encodedOnce(attributes: AdmissionAttributes): (version: AdmittedVersion) => MaybePromise<EncodedObjects> {
  return memoize((version) => encodeObjects(attributes, version));
}

/** The dependencies of the webhooks of a server. */
export interface WebhookDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  readonly resolveService: ResolveService;
  /** Decides the authorizer checks of expressions. */
  readonly decideCheck: DecideCheck;
  readonly metrics: MetricsRegistry;
  readonly log: WebhookLog;
  readonly staticObjects: StaticObjectsOf;
  /** Creates spans of calls; absent if the server does not trace. */
  readonly tracing?: Tracing | undefined;
  /** The tunnels to webhooks. */
  readonly tunnels?: WebhookTunnels | undefined;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Calls the mutating webhooks that match a write, one after the other; each may change the object.
 * Throws `RangeError` for an invalid configuration.
 */
export function mutatingAdmissionWebhook(
  dependencies: WebhookDependencies,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  return mutatingWebhooks(pluginDependencies(dependencies, 'mutatingwebhookconfigurations', configuration));
}

/**
 * Calls the validating webhooks that match a write, at the same time; each may refuse it. Throws
 * `RangeError` for an invalid configuration.
 */
export function validatingAdmissionWebhook(
  dependencies: WebhookDependencies,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  return validatingWebhooks(pluginDependencies(dependencies, 'validatingwebhookconfigurations', configuration));
}

/** The plugins, by the resource of their configurations. */
const plugins = {
  mutatingwebhookconfigurations: 'MutatingAdmissionWebhook',
  validatingwebhookconfigurations: 'ValidatingAdmissionWebhook',
} as const;

/** Both plugins of a server have the same families. */
const metricsOf = memoize(webhookMetrics);

function pluginDependencies(
  {
    identifiers,
    listerOf,
    resolveService,
    decideCheck,
    metrics: registry,
    log,
    signal,
    staticObjects,
    tracing,
    tunnels,
  }: WebhookDependencies,
  resource: keyof typeof plugins,
  configuration: JsonObject | undefined,
): WebhookPluginDependencies {
  const { apiDomain } = identifiers;
  const userAgent = `${identifiers.prefix}apiserver-admission`;
  if (configuration) checkWebhookConfiguration(configuration, apiDomain);
  const credentials = credentialsReader(configuration);
  const metrics = metricsOf(registry);
  return {
    source: webhookSource({
      listerOf,
      group: `admissionregistration.${apiDomain}`,
      resource,
      fromFiles: staticObjects(plugins[resource]),
    }),
    selectWebhooks: webhookSelector(listerOf),
    meetsConditions: conditionsCheck(
      decideCheck,
      conditionMetricsOf(registry),
      resource === 'mutatingwebhookconfigurations' ? 'admit' : 'validate',
    ),
    calls: {
      group: `admission.${apiDomain}`,
      clients: webhookClients({
        signal,
        userAgent,
        resolveService,
        credentials,
        parse: decodeJsonAnswer,
        tunnels,
        tracing,
      }),
      metrics,
      log,
      tracing,
    },
    apiDomain,
  };
}

/**
 * Checks the kind of the configuration, which tests and programs may omit, and its fields. Throws
 * `RangeError`.
 */
function checkWebhookConfiguration(configuration: JsonObject, apiDomain: string): void {
  const group = `apiserver.config.${apiDomain}`;
  const isOld = stringAt(configuration, 'kind') === 'WebhookAdmission';
  const kind = isOld
    ? { kind: 'WebhookAdmission', group, versions: ['v1alpha1'] }
    : { kind: 'WebhookAdmissionConfiguration', group, versions: ['v1'] };
  if (isSet(configuration, 'kind') || isSet(configuration, 'apiVersion')) checkKind(configuration, kind);
  const errors: FieldError[] = [];
  configuredObject(
    configuration,
    '',
    ['apiVersion', 'kind', 'kubeConfigFile', ...(isOld ? [] : ['staticManifestsDir'])],
    errors,
  );
  refuseErrors(errors);
}

/**
 * Reads the file that `WebhookAdmissionConfiguration` names, on first use; the server has checked
 * it at its start. A file that cannot be read fails the calls that need it, and is read again.
 */
function credentialsReader(configuration: JsonObject | undefined): () => Promise<ReadonlyMap<string, UserCredentials>> {
  if (configuration && isSet(configuration, 'kubeConfigFile') && typeof configuration['kubeConfigFile'] !== 'string') {
    throw new RangeError('kubeConfigFile: must be a path');
  }
  const file = configuration ? stringAt(configuration, 'kubeConfigFile') : '';
  if (file !== '' && !isAbsolute(file)) {
    throw new RangeError(`kubeConfigFile: Invalid value: ${JSON.stringify(file)}: must be an absolute file path`);
  }
  let read: Promise<ReadonlyMap<string, UserCredentials>> | undefined;
  if (file === '') return () => (read ??= Promise.resolve(new Map()));
  return async () => {
    const pending = (read ??= loadCredentials(file));
    try {
      return await pending;
    } catch (error) {
      read = undefined;
      throw error;
    }
  };
}
