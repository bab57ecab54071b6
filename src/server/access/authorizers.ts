import { abacAuthorizer } from './abac-policies.ts';
import { alwaysAllow } from '../../authz/always-allow.ts';
import { alwaysAllowPaths } from '../../authz/always-allow-paths.ts';
import { alwaysDeny } from '../../authz/always-deny.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { createWebhookMetrics, type WebhookMetrics } from '../../authz/webhook/webhook-metrics.ts';
import { privilegedGroup } from '../../authz/privileged-group.ts';
import type { Rbac } from '../../authz/rbac/rbac.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { authorizationFlags } from '../../config/flags/authorization-flags.ts';
import {
  authorizationModeFault,
  authorizationModesOf,
  type ConfiguredMode,
  configuredModes,
  type PlainMode,
} from '../../config/flags/authorization-options.ts';
import { reloadedAuthorizers } from './reloaded-authorizers.ts';
import { readModes } from '../../config/resolve-authorization.ts';
import { createNodeAuthorizer } from './node-rules.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { createWebhookAuthorizer } from './webhook-authorizer.ts';

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
  AlwaysAllow: { create: () => alwaysAllow, allowsEveryone: true },
  AlwaysDeny: { create: () => alwaysDeny, allowsEveryone: false },
  ABAC: { create: abacAuthorizer, allowsEveryone: false },
  Node: { create: (_, dependencies) => createNodeAuthorizer(dependencies), allowsEveryone: false },
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
  const fault = authorizationModeFault(authorizationModesOf(options), ['Webhook']);
  if (fault !== undefined) throw new RangeError(fault);
  const { identifiers, log } = dependencies;
  let metrics: WebhookMetrics | undefined;
  const webhookMetrics = (): WebhookMetrics => (metrics ??= createWebhookMetrics(dependencies.metrics));
  const create = async (mode: ConfiguredMode, signal: AbortSignal): Promise<Authorizer> =>
    typeof mode === 'string'
      ? await modes[mode].create(options, dependencies, rbac)
      : await createWebhookAuthorizer(mode, options, { identifiers, log, webhookMetrics, signal });
  return [
    privilegedGroup('system:masters'),
    alwaysAllowPaths(options.alwaysAllowPaths),
    ...(await configuredAuthorizers(options, dependencies, create)),
  ];
}

function configuredAuthorizers(
  options: ServerOptions,
  { log, signal }: AccessDependencies,
  create: (mode: ConfiguredMode, signal: AbortSignal) => Promise<Authorizer>,
): Promise<readonly Authorizer[]> {
  const { authorizationConfigFile: file, certificateReloadMs: intervalMs } = options;
  if (file === undefined) return Promise.all(configuredModes(options).map((mode) => create(mode, signal)));
  return reloadedAuthorizers({ read: () => readModes(file, options), create, intervalMs, log, signal }).then((one) => [
    one,
  ]);
}

/** Reports whether one of the authorization modes allows every request of every user. */
export function allowsEveryone(options: ServerOptions): boolean {
  return configuredModes(options).some((mode) => typeof mode === 'string' && modes[mode].allowsEveryone);
}

/**
 * The paths that can be read without credentials although anonymous requests are disabled: none if
 * that was asked for, else the paths that everyone may read. Nobody can be asked about `/version`
 * where everyone may do everything, so that it is among them by default.
 */
export function publicPathsOf(options: ServerOptions): readonly string[] {
  const { anonymousAuth, alwaysAllowPaths: paths } = options;
  if (anonymousAuth === false) return [];
  const isDefault = paths.join() === authorizationFlags.alwaysAllowPaths.default.join();
  return isDefault && allowsEveryone(options) ? [...paths, '/version'] : paths;
}

/**
 * Reports whether requests without credentials are served as the anonymous user. The default is
 * true unless an authorization mode allows everything to everyone.
 */
export function anonymousAuthOf(options: ServerOptions): boolean {
  return options.anonymousAuth ?? !allowsEveryone(options);
}
