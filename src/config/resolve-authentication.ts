import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { forbidden } from '../status/field-error.ts';
import { type AuthenticationConfiguration, parseAuthenticationConfiguration } from './authentication-configuration.ts';
import { createExpressionLoader } from './expression-loader.ts';
import { named } from './flags/pem-files.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Replaces the settings of anonymous requests with those of `authenticationConfigFile`, if it has
 * any. Rejects if the file is invalid, or if both decide.
 */
export async function resolveAuthentication(options: ServerOptions): Promise<ServerOptions> {
  const { authenticationConfigFile: file, anonymousAuth } = options;
  if (file === undefined) return options;
  const { anonymous } = await authenticationReader(file, options)();
  if (!anonymous) return options;
  if (anonymousAuth !== undefined) {
    const detail =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    const { field, message } = forbidden('anonymous', detail);
    throw new Error(`${field}: ${message}`);
  }
  const { enabled, paths } = anonymous;
  return { ...options, anonymousAuth: enabled, ...(paths.length > 0 ? { anonymousPaths: paths } : {}) };
}

/** Returns the reader of an AuthenticationConfiguration. It rejects if the file is invalid. */
export function authenticationReader(
  file: string,
  { identifiers }: Pick<ServerOptions, 'identifiers'>,
): () => Promise<AuthenticationConfiguration> {
  const group = `apiserver.config.${identifiersOf(identifiers).apiDomain}`;
  const compilerOf = createExpressionLoader();
  return () =>
    named({ flag: '--authentication-config', file }, async () => {
      const text = await readFile(file, 'utf8');
      return parseAuthenticationConfiguration(text, group, await compilerOf(text));
    });
}
