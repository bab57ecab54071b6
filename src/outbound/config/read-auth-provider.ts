import { dirname } from 'node:path';
import { ClientConfigError } from './client-config.ts';
import { readMaterial, textOf, withoutUndefined } from './config-entry.ts';
import type { OidcSettings } from './connection-settings.ts';

/** Reads the auth provider of a user; `oidc` is the only one. Throws ClientConfigError. */
export async function readAuthProvider(value: unknown, user: string, file: string): Promise<OidcSettings> {
  const { name, config = {} }: { name?: unknown; config?: unknown } = Object(value);
  if (name !== 'oidc') throw new ClientConfigError(`user "${user}": there is no auth provider "${String(name)}"`);
  const fields: Readonly<Record<string, unknown>> = { ...Object(config) };
  const [issuer, clientId] = ['idp-issuer-url', 'client-id'].map((key) => textOf(fields[key]));
  if (!issuer || !clientId) {
    throw new ClientConfigError(`user "${user}": auth-provider: Must provide idp-issuer-url and client-id`);
  }
  return withoutUndefined({
    issuer,
    clientId,
    clientSecret: textOf(fields['client-secret']),
    idToken: textOf(fields['id-token']),
    refreshToken: textOf(fields['refresh-token']),
    ca: await readMaterial(fields, 'idp-certificate-authority', dirname(file), `user "${user}": auth-provider`),
    file,
    user,
  });
}
