import type { ExecSettings } from '../config/connection-settings.ts';
import { bearer, type Credentials, type CredentialSource } from '../config/credential-source.ts';
import type { ExecCredential } from '../config/exec-credential.ts';
import { runExecPlugin } from './run-exec-plugin.ts';

/**
 * Gives the credentials that a command prints. They are used until they expire or are refused, and
 * in place of the credentials of `base`. Requests that wait share one run of the command.
 */
export function execCredentials(
  settings: ExecSettings,
  base: Credentials,
  run: (settings: ExecSettings) => Promise<ExecCredential> = runExecPlugin,
): CredentialSource {
  let current: { readonly credentials: Credentials; readonly expiresAtMs: number } | undefined;
  let running: Promise<Credentials> | undefined;

  async function refresh(): Promise<Credentials> {
    const { token, cert, key, expiresAtMs = Infinity } = await run(settings);
    const credentials: Credentials = {
      ...base,
      ...(token ? { authorization: bearer(token) } : {}),
      ...(cert && key ? { cert, key } : {}),
    };
    current = { credentials, expiresAtMs };
    return credentials;
  }

  function get(): Promise<Credentials> {
    if (current && Date.now() < current.expiresAtMs) return Promise.resolve(current.credentials);
    running ??= refresh().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get,
    renew(refused) {
      // Another request may have run the command since.
      if (current?.credentials === refused) current = undefined;
      return get();
    },
  };
}
