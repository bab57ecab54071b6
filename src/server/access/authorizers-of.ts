import { dashboardPaths } from '../../api/dashboard/dashboard-files.ts';
import { alwaysAllowAuthorizer } from '../../authz/always-allow-authorizer.ts';
import { alwaysAllowPaths } from '../../authz/always-allow-paths.ts';
import { alwaysDenyAuthorizer } from '../../authz/always-deny-authorizer.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { createWebhookMetrics, type WebhookMetrics } from '../../authz/webhook/create-webhook-metrics.ts';
import { privilegedGroup } from '../../authz/privileged-group.ts';
import type { Rbac } from '../../authz/rbac/rbac.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { authorizationFlags } from '../../config/flags/authorization-flags.ts';
import {
  authorizationModeError,
  authorizationModesOf,
  type ConfiguredMode,
  configuredModes,
  type PlainMode,
  type WebhookMode,
} from '../../config/flags/authorization-options.ts';
import { createReloadMetrics } from './reload-metrics.ts';
import { reloadedAuthorizers } from './reloaded-authorizers.ts';
import { readAuthorizationConfiguration } from '../../config/authorization-configuration.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { nodeAuthorizer } from '../../authz/node/node-authorizer.ts';
import { nodeRoleRules } from '../../resources/rbac.authorization/defaults/default-objects.ts';
import { releasedVersions } from '../../config/served-api.ts';
import { readFile } from 'node:fs/promises';
import { abac } from '../../authz/abac/abac.ts';
import { parsePolicyFile } from '../../authz/abac/parse-policy-file.ts';
import { webhookAuthorizer } from '../../authz/webhook/webhook-authorizer.ts';
import { createExpressionCompiler } from '../../config/expression-compiler.ts';
import { openWebhook } from './open-webhook.ts';

/** An authorization mode without settings. */
interface ModeRow {
  /** Creates its authorizer. May reject if a file cannot be read. */
  readonly create: (
    options: ServerOptions,
    dependencies: AccessDependencies,
    rbac: Rbac,
  ) => Authorizer | Promise<Authorizer>;
  /**
   * True if every user may do everything. Anonymous requests are then disabled by default (spec
   * 5.6).
   */
  readonly allowsEveryone: boolean;
}

const modes: Readonly<Record<PlainMode, ModeRow>> = {
  AlwaysAllow: { create: () => alwaysAllowAuthorizer, allowsEveryone: true },
  AlwaysDeny: { create: () => alwaysDenyAuthorizer, allowsEveryone: false },
  ABAC: { create: abacAuthorizer, allowsEveryone: false },
  Node: { create: createNodeAuthorizer, allowsEveryone: false },
  RBAC: { create: (_options, _dependencies, rbac) => rbac.authorizer, allowsEveryone: false },
};

/**
 * The enabled authorizers in order. Rejects with RangeError for invalid modes, and if a file
 * cannot be read.
 */
export async function authorizersOf(
  options: ServerOptions,
  dependencies: AccessDependencies,
  rbac: Rbac,
): Promise<readonly Authorizer[]> {
  const problem = authorizationModeError(authorizationModesOf(options), ['Webhook']);
  if (problem !== undefined) throw new RangeError(problem);
  const { identifiers, log, egress } = dependencies;
  let metrics: WebhookMetrics | undefined;
  const webhookMetrics = (): WebhookMetrics => (metrics ??= createWebhookMetrics(dependencies.metrics));
  const create = async (mode: ConfiguredMode, signal: AbortSignal): Promise<Authorizer> =>
    typeof mode === 'string'
      ? await modes[mode].create(options, dependencies, rbac)
      : await createWebhookAuthorizer(mode, options, { identifiers, log, egress, webhookMetrics, signal });
  return [
    privilegedGroup('system:masters'),
    alwaysAllowPaths([...options.alwaysAllowPaths, ...(options.enableDashboard ? dashboardPaths : [])]),
    ...(await configuredAuthorizers(options, dependencies, create)),
  ];
}

function configuredAuthorizers(
  options: ServerOptions,
  { log, metrics, signal }: AccessDependencies,
  create: (mode: ConfiguredMode, signal: AbortSignal) => Promise<Authorizer>,
): Promise<readonly Authorizer[]> {
  const { authorizationConfigFile: file, certificateReloadMs: intervalMs } = options;
  if (file === undefined) return Promise.all(configuredModes(options).map((mode) => create(mode, signal)));
  const read = () => readAuthorizationConfiguration(file, options);
  const reloads = createReloadMetrics(metrics, 'authorization');
  return reloadedAuthorizers({ read, create, intervalMs, reloads, log, signal }).then((one) => [one]);
}

/** Reports whether one of the authorization modes allows every request of every user. */
export function allowsEveryone(options: ServerOptions): boolean {
  return configuredModes(options).some((mode) => typeof mode === 'string' && modes[mode].allowsEveryone);
}

/**
 * The paths that can be read without credentials although anonymous requests are disabled: the
 * files of an enabled dashboard and, unless `anonymousAuth` is false, the paths that everyone may
 * read. Where everyone may do everything, `/version` is among them by default, because no
 * authorizer decides about it.
 */
export function publicPathsOf(options: ServerOptions): readonly string[] {
  const { anonymousAuth, alwaysAllowPaths: paths, enableDashboard } = options;
  // A browser has no token before its user has signed in.
  const dashboard = enableDashboard ? dashboardPaths : [];
  if (anonymousAuth === false) return dashboard;
  const isDefault = paths.join() === authorizationFlags.alwaysAllowPaths.default.join();
  return [...paths, ...(isDefault && allowsEveryone(options) ? ['/version'] : []), ...dashboard];
}

/**
 * Reports whether requests without credentials are served as the anonymous user. The default is
 * true unless an authorization mode allows everything to everyone.
 */
export function anonymousAuthOf(options: ServerOptions): boolean {
  return options.anonymousAuth ?? !allowsEveryone(options);
}

/** Creates the authorizer of the mode Node, with the rules of the default role `system:node`. */
function createNodeAuthorizer(options: ServerOptions, dependencies: AccessDependencies): Authorizer {
  const emulated = releasedVersions(options);
  const { isFeatureEnabled } = emulated;
  const requestsCertificates = isFeatureEnabled('PodCertificateRequest');
  return nodeAuthorizer({
    ...dependencies,
    rules: nodeRoleRules(dependencies.identifiers, emulated),
    features: {
      withSelectors: isFeatureEnabled('AuthorizeNodeWithSelectors'),
      withDevices: isFeatureEnabled('DynamicResourceAllocation'),
      readsAccounts: requestsCertificates || isFeatureEnabled('KubeletServiceAccountTokenForCredentialProviders'),
      requestsCertificates,
    },
  });
}

/**
 * The authorizer over `--authorization-policy-file`. The file is read once, as kube-apiserver does:
 * a policy change that is half-written must not take effect. Rejects if the file is invalid.
 */
async function abacAuthorizer(
  { authorizationPolicyFile: file }: Pick<ServerOptions, 'authorizationPolicyFile'>,
  { identifiers, log }: Pick<AccessDependencies, 'identifiers' | 'log'>,
): Promise<Authorizer> {
  if (file === undefined) throw new RangeError("authorization-mode ABAC's authorization policy file not passed");
  try {
    const group = `abac.authorization.${identifiers.labelDomain}`;
    // Files for earlier versions of this server spell the group with the domain of the API.
    const groups: [string, string] = [group, `abac.authorization.${identifiers.apiDomain}`];
    const { policies, hasUnversioned } = parsePolicyFile(await readFile(file, 'utf8'), groups);
    if (hasUnversioned)
      log.warn(`policy file ${file} has unversioned rules; write them as kind Policy of ${group}/v1beta1`);
    return abac(policies);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`error reading policy file ${file}: ${problem}`, { cause });
  }
}

interface WebhookDependencies extends Pick<AccessDependencies, 'identifiers' | 'log' | 'egress' | 'signal'> {
  /** Returns the metrics of all webhooks; their families exist from the first call on. */
  readonly webhookMetrics: () => WebhookMetrics;
}

/**
 * Creates the authorizer of a webhook. Its client config file, and the certificates that this
 * names, are read again at the interval of certificate files. Rejects if the file is unusable.
 */
async function createWebhookAuthorizer(
  { type, clientConfigFile, matchConditions = [], ...mode }: WebhookMode,
  { certificateReloadMs: reloadMs }: { readonly certificateReloadMs: number },
  { identifiers, log, egress, signal, webhookMetrics }: WebhookDependencies,
): Promise<Authorizer> {
  const webhook = await openWebhook(
    {
      what: `the authorizer ${mode.name}`,
      clientConfigFile,
      timeoutMs: mode.timeoutMs,
      reloadMs,
      tunnel: egress.tunnels.controlplane,
    },
    { log, signal },
  );
  const compile = matchConditions.length === 0 ? undefined : (await createExpressionCompiler()).compile;
  return webhookAuthorizer({
    ...mode,
    matchConditions: compile ? matchConditions.map((text) => compile(text, ['request'])) : [],
    call: (review, callSignal) => webhook.call(review, callSignal),
    group: `authorization.${identifiers.apiDomain}`,
    onError: (err) => log.warn({ err }, `failed to make ${type} authorizer request to ${mode.name}`),
    metrics: webhookMetrics(),
    signal,
  });
}
