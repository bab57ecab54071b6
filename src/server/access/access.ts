import type { Authenticator } from '../../authn/authenticator.ts';
import {
  type BootstrapSecret,
  bootstrapTokenAuthenticator,
  readBootstrapSecret,
} from '../../authn/bootstrap-token-authenticator.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { createRbac, type Rbac } from '../../authz/rbac/rbac.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Egress } from '../egress/open-egress.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { authenticatorsOf } from './authenticators.ts';
import { authorizationModesOf } from '../../config/flags/authorization-options.ts';
import { authorizersOf } from './authorizers-of.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { openServiceAccounts, type ServiceAccounts, apiAudiencesOf } from './service-accounts.ts';
import { webhookTokenAuthenticator } from '../../authn/webhook/webhook-tokens.ts';
import { openWebhook } from './open-webhook.ts';
import type { TokenWebhookOptions } from '../../config/flags/token-webhook-flags.ts';
import { isDeepStrictEqual } from 'node:util';
import type { JwtIssuer } from '../../authn/oidc/jwt-issuer.ts';
import { createOidc } from '../../authn/oidc/oidc.ts';
import { type AuthenticationConfiguration, authenticationReader } from '../../config/authentication-configuration.ts';
import { readCertificates } from '../../config/flags/pem-files.ts';
import type { OidcOptions } from '../../config/flags/oidc-flags.ts';
import { createReloadMetrics } from './reload-metrics.ts';
import { Reloaded } from '../../listen/reloaded.ts';

/** The mechanisms of authentication and authorization. */
export interface Access {
  readonly serviceAccounts: ServiceAccounts;
  /** The authenticators are tried in order; the first user wins. */
  readonly authenticators: readonly Authenticator[];
  /** Called in order; the first allow or deny is final. */
  readonly authorizers: readonly Authorizer[];
  /** The current roles and bindings, whether or not the mode RBAC is enabled. */
  readonly rbac: Rbac;
}

function bootstrapTokensOf({ identifiers, listerOf }: AccessDependencies): Authenticator {
  const read = (secret: JsonObject): BootstrapSecret => readBootstrapSecret(secret, identifiers);
  return bootstrapTokenAuthenticator({
    identifiers,
    secrets: listerOf({ group: '', resource: 'secrets', read }),
  });
}

/** Creates the authenticators and authorizers. Rejects if a file of theirs cannot be read. */
export async function createAccess(options: ServerOptions, dependencies: AccessDependencies): Promise<Access> {
  const { identifiers, listerOf, signal } = dependencies;
  const rbac = createRbac({ identifiers, listerOf, signal, warm: authorizationModesOf(options).includes('RBAC') });
  const serviceAccounts = await openServiceAccounts(options, dependencies);
  const authenticators = [
    ...(await authenticatorsOf(options, dependencies)),
    serviceAccounts.authenticator,
    ...(options.enableBootstrapTokenAuth ? [bootstrapTokensOf(dependencies)] : []),
    ...(await externalTokensOf(options, dependencies)),
  ];
  return {
    serviceAccounts,
    authenticators,
    authorizers: await authorizersOf(options, dependencies, rbac),
    rbac,
  };
}

/**
 * The authenticators of tokens that other servers issue or review, in order. They come last,
 * because they may have to wait for those servers. Rejects if a file is unusable.
 */
async function externalTokensOf(
  options: ServerOptions,
  dependencies: AccessDependencies,
): Promise<readonly Authenticator[]> {
  const { tokenWebhook } = options;
  const idTokens = await createIdTokens(options, dependencies);
  return [
    ...(idTokens ? [idTokens] : []),
    ...(tokenWebhook ? [await createWebhookTokens(tokenWebhook, options, dependencies)] : []),
  ];
}

/** Creates the authenticator of the token webhook. Rejects if its client config is unusable. */
async function createWebhookTokens(
  { clientConfigFile, cacheTtlMs, version }: TokenWebhookOptions,
  options: ServerOptions,
  { identifiers, log, egress, tokenCache: metrics, signal }: AccessDependencies,
): Promise<Authenticator> {
  const what = 'the webhook that authenticates tokens';
  const tunnel = egress.tunnels.controlplane;
  const webhook = await openWebhook(
    { what, clientConfigFile, reloadMs: options.certificateReloadMs, tunnel },
    { log, signal },
  );
  return webhookTokenAuthenticator({
    call: (review, callSignal) => webhook.call(review, callSignal),
    group: `authentication.${identifiers.apiDomain}`,
    version,
    cacheTtlMs,
    audiences: apiAudiencesOf(options),
    onError: (err) => log.warn({ err }, `${what} did not answer`),
    metrics,
    signal,
  });
}

/**
 * Creates the authenticator of ID tokens; undefined if no issuer is configured. Its files are read
 * again while the server runs, and a change replaces the issuers. Rejects if a file is unusable.
 */
async function createIdTokens(
  options: ServerOptions,
  { log, egress, metrics: registry, tokenCache: metrics, signal }: AccessDependencies,
): Promise<Authenticator | undefined> {
  const read = issuersReader(options);
  if (!read) return undefined;
  const own = options.serviceAccountIssuers;
  const reloads = options.authenticationConfigFile ? createReloadMetrics(registry, 'authentication') : undefined;
  const checked = async (): Promise<ConfiguredIssuers> => {
    const found = await read();
    const clash = found.issuers.find(({ url }) => own.includes(url));
    for (const { egress: name } of found.issuers) checkEgress(name, egress);
    if (clash) throw new Error(`${clash.url} is the issuer of service accounts, and cannot be an OpenID provider`);
    return found;
  };
  const what = 'the configuration of OpenID providers';
  const configured = await Reloaded.open({
    what,
    read: checked,
    intervalMs: options.certificateReloadMs,
    log,
    onReload: (outcome) => reloads?.reloaded(outcome),
  });
  const oidc = createOidc({
    metrics,
    tunnelTo: ({ egress: name }) => name && egress.tunnels[name],
    onError: (issuer, err) =>
      log.warn({ err, issuer }, 'the keys of an OpenID provider could not be read; trying again'),
  });
  const use = ({ issuers, hash }: ConfiguredIssuers): void => {
    oidc.use(issuers);
    reloads?.inUse(hash);
  };
  use(configured.current);
  configured.onChange(use);
  configured.watch();
  signal.addEventListener('abort', () => {
    configured.close();
    oidc.close();
  });
  return oidc;
}

/** Throws if an issuer names an egress type that is not configured. */
function checkEgress(name: JwtIssuer['egress'], { configured }: Egress): void {
  if (name === undefined) return;
  if (!configured) throw new Error(`oidc: egress lookup required with egress selector type "${name}"`);
  if (!configured.has(name)) throw new Error(`oidc: egress lookup for "${name}" is not configured`);
}

/** The issuers of ID tokens, with the hash of their configuration. */
type ConfiguredIssuers = Pick<AuthenticationConfiguration, 'issuers' | 'hash'>;

function issuersReader(options: ServerOptions): (() => Promise<ConfiguredIssuers>) | undefined {
  const { oidc, authenticationConfigFile: file } = options;
  if (file === undefined) return oidc && (async () => ({ issuers: [await issuerOf(oidc)], hash: '' }));
  const read = authenticationReader(file, options);
  let first: AuthenticationConfiguration | undefined;
  return async () => {
    const { issuers, anonymous, hash } = await read();
    first ??= { issuers, anonymous, hash };
    if (!isDeepStrictEqual(anonymous, first.anonymous)) {
      throw new Error(`--authentication-config ${file}: a change of anonymous needs a restart`);
    }
    return { issuers, hash };
  };
}

async function issuerOf(oidc: OidcOptions): Promise<JwtIssuer> {
  const { issuerUrl: url, clientId, caFile, usernameClaim: claim, groupsClaim } = oidc;
  return {
    url,
    audiences: [clientId],
    signingAlgorithms: oidc.signingAlgorithms,
    username: { claim, prefix: usernamePrefixOf(oidc) },
    groups: groupsClaim === undefined ? undefined : { claim: groupsClaim, prefix: oidc.groupsPrefix },
    requiredClaims: oidc.requiredClaims,
    ca: caFile === undefined ? undefined : await readCertificates({ flag: '--oidc-ca-file', file: caFile }),
  };
}

/** Names of two providers must not be mistaken for each other; an email names its own domain. */
function usernamePrefixOf({ issuerUrl, usernameClaim, usernamePrefix }: OidcOptions): string {
  if (usernamePrefix === undefined || usernamePrefix === '') return usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  return usernamePrefix === '-' ? '' : usernamePrefix;
}
