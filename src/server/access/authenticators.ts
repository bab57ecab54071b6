import { readFile } from 'node:fs/promises';
import type { Authenticator } from '../../authn/authenticator.ts';
import { createCertificateMetrics } from '../../authn/certificate-metrics.ts';
import { clientCertificateAuthenticator } from '../../authn/client-certificate-authenticator.ts';
import { frontProxyAuthenticator } from '../../authn/front-proxy.ts';
import { staticTokenAuthenticator } from '../../authn/static-token.ts';
import { parseTokenFile, type TokenEntry } from '../../authn/token-file.ts';
import { losesIssuers } from '../../pki/certificate-chain.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { rootsOf } from '../../listen/certificates.ts';
import { featuresOf } from '../../config/feature-gates.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { ServerOptions } from '../../config/server-options.ts';

async function tokensOf(options: ServerOptions): Promise<TokenEntry[]> {
  const given = options.tokens.map(({ token, username, groups = [] }) => ({
    token,
    user: { username, uid: '', groups, extra: {} },
  }));
  if (options.tokenAuthFile === undefined) return given;
  const file = options.tokenAuthFile;
  try {
    return [...given, ...parseTokenFile(await readFile(file, 'utf8'))];
  } catch (cause) {
    throw new Error(`--token-auth-file ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Reports whether any client could be authenticated. Rejects if the token file cannot be read. */
export async function identifiesClients(options: ServerOptions): Promise<boolean> {
  const { clientCaFile, frontProxy, oidc, authenticationConfigFile, tokenWebhook } = options;
  // Clients may have tokens of a key that is not this server's own, or know the bootstrap tokens.
  const tokenKeys = [options.serviceAccountSigningKeyFile, ...options.serviceAccountKeyFiles];
  const given = [clientCaFile, frontProxy, oidc, authenticationConfigFile, tokenWebhook, ...tokenKeys];
  if (options.enableBootstrapTokenAuth || given.some((one) => one !== undefined)) return true;
  return (await tokensOf(options)).length > 0;
}

/** Creates the enabled authenticators, in order. Rejects if a file cannot be read. */
export async function authenticatorsOf(
  options: ServerOptions,
  { clientCa, frontProxyCa, identifiers, metrics: registry }: AccessDependencies,
): Promise<readonly Authenticator[]> {
  const clientRoots = clientCa && rootsOf(clientCa);
  const tokens = await tokensOf(options);
  const metrics = createCertificateMetrics(registry);
  const { frontProxy } = options;
  // With both CAs, the handshake does not say which CA has verified a certificate.
  const withoutIssuers = losesIssuers && !(clientCa && frontProxyCa);
  return [
    ...(frontProxy && frontProxyCa
      ? [
          frontProxyAuthenticator({
            ...frontProxy,
            certificate: clientCertificateAuthenticator({ roots: rootsOf(frontProxyCa), withoutIssuers }),
          }),
        ]
      : []),
    ...(clientRoots
      ? [
          clientCertificateAuthenticator({
            roots: clientRoots,
            withoutIssuers,
            metrics,
            readsUid: featuresOf(options).isEnabled('AllowParsingUserUIDFromCertAuth'),
            credentialIdName: isSince(options.emulatedRelease, '1.32')
              ? `authentication.${identifiers.labelDomain}/credential-id`
              : undefined,
          }),
        ]
      : []),
    ...(tokens.length === 0 ? [] : [staticTokenAuthenticator(tokens)]),
  ];
}
