import { isDeepStrictEqual } from 'node:util';
import type { Authenticator } from '../../authn/authenticator.ts';
import type { JwtIssuer } from '../../authn/oidc/jwt-issuer.ts';
import { createOidc } from '../../authn/oidc/oidc.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { AuthenticationConfiguration } from '../../config/authentication-configuration.ts';
import { readCertificates } from '../../config/flags/pem-files.ts';
import type { OidcOptions } from '../../config/flags/oidc-flags.ts';
import { Reloaded } from '../../listen/reloaded.ts';
import { authenticationReader } from '../../config/resolve-authentication.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/**
 * Creates the authenticator of ID tokens; undefined if no issuer is configured. Its files are read
 * again while the server runs, and a change replaces the issuers. Rejects if a file is unusable.
 */
export async function createIdTokens(
  options: ServerOptions,
  { log, tokenCache: metrics, signal }: AccessDependencies,
): Promise<Authenticator | undefined> {
  const read = issuersReader(options);
  if (!read) return undefined;
  const own = options.serviceAccountIssuers;
  const checked = async (): Promise<readonly JwtIssuer[]> => {
    const found = await read();
    const clash = found.find(({ url }) => own.includes(url));
    if (clash) throw new Error(`${clash.url} is the issuer of service accounts, and cannot be an OpenID provider`);
    return found;
  };
  const what = 'the configuration of OpenID providers';
  const issuers = await Reloaded.open({ what, read: checked, intervalMs: options.certificateReloadMs, log });
  const oidc = createOidc({
    metrics,
    onError: (issuer, err) =>
      log.warn({ err, issuer }, 'the keys of an OpenID provider could not be read; trying again'),
  });
  oidc.use(issuers.current);
  issuers.onChange((changed) => oidc.use(changed));
  issuers.watch();
  signal.addEventListener('abort', () => {
    issuers.close();
    oidc.close();
  });
  return oidc;
}

function issuersReader(options: ServerOptions): (() => Promise<readonly JwtIssuer[]>) | undefined {
  const { oidc, authenticationConfigFile: file } = options;
  if (file === undefined) return oidc && (async () => [await issuerOf(oidc)]);
  const read = authenticationReader(file, options);
  let first: AuthenticationConfiguration | undefined;
  return async () => {
    const { issuers, anonymous } = await read();
    first ??= { issuers, anonymous };
    if (!isDeepStrictEqual(anonymous, first.anonymous)) {
      throw new Error(`--authentication-config ${file}: a change of anonymous needs a restart`);
    }
    return issuers;
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
