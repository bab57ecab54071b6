import type { Client } from '../../client/client.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { hasReason } from '../../client/status-error.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { bearer, type Credentials, type CredentialSource } from '../../outbound/config/credential-source.ts';

/** The requested lifetime of tokens. */
const lifetimeSeconds = 3600;

/** Tokens are replaced after this share of their lifetime. */
const renewalShare = 0.8;

/**
 * The credentials of a service account in the system namespace: tokens that another client
 * requests, which may also create the account. They are replaced before they expire.
 */
export function accountCredentials(
  issuer: Client,
  { prefix, set, apiDomain }: Identifiers,
  name: string,
): CredentialSource {
  const namespace = `${prefix}system`;
  const { serviceaccounts } = builtInResources(set);
  let current: { readonly credentials: Credentials; readonly untilMs: number } | undefined;
  let pending: Promise<Credentials> | undefined;

  async function request(): Promise<Credentials> {
    const body = {
      apiVersion: `authentication.${apiDomain}/v1`,
      kind: 'TokenRequest',
      metadata: { name },
      spec: { audiences: [], expirationSeconds: lifetimeSeconds },
    };
    const { status } = await issuer.resource(serviceaccounts).create(body, { namespace, subresource: 'token' });
    const lifetimeMs = Date.parse(status?.expirationTimestamp ?? '') - Date.now();
    const credentials = { authorization: bearer(status?.token ?? '') };
    current = { credentials, untilMs: performance.now() + lifetimeMs * renewalShare };
    return credentials;
  }

  async function requestOrCreate(): Promise<Credentials> {
    try {
      return await request();
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
    try {
      await issuer.resource(serviceaccounts).create({ metadata: { name } }, { namespace });
    } catch (error) {
      // Another instance was faster.
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
    return request();
  }

  /** Requests at the same time share one token. */
  function fresh(): Promise<Credentials> {
    pending ??= requestOrCreate().finally(() => (pending = undefined));
    return pending;
  }

  return {
    async get() {
      return current && performance.now() < current.untilMs ? current.credentials : fresh();
    },
    async renew(refused) {
      return current && current.credentials !== refused ? current.credentials : fresh();
    },
  };
}
