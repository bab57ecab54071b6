import type { ConnectionSettings } from '../config/connection-settings.ts';
import { certificateFileCredentials } from './certificate-files.ts';
import { bearer, type Credentials, type CredentialSource, fixedCredentials } from '../config/credential-source.ts';
import { execCredentials } from './exec-credentials.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import { tokenFileCredentials } from './token-file.ts';

/** The source of the credentials of a connection. Files and commands are used when it is asked. */
export function openCredentials(settings: ConnectionSettings): CredentialSource {
  if (settings.credentials) return settings.credentials;
  const { cert, key, certFile, keyFile, exec } = settings;
  const certificate: Credentials = cert && key ? { cert, key } : {};
  if (exec) return execCredentials(exec, certificate);
  const source = openTokens(settings, certificate);
  return certFile && keyFile ? certificateFileCredentials({ certFile, keyFile }, source) : source;
}

function openTokens(settings: ConnectionSettings, certificate: Credentials): CredentialSource {
  const { oidc, token, tokenFile, username, password = '' } = settings;
  if (oidc) return oidcCredentials(oidc, certificate);
  if (tokenFile !== undefined) return tokenFileCredentials(tokenFile, certificate);
  const basic = username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const authorization = token ? bearer(token) : basic;
  return fixedCredentials(authorization ? { ...certificate, authorization } : certificate);
}
