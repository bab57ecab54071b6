import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { parseAuthorizationConfiguration } from './authorization-configuration.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Replaces the authorization modes of the options with those of `authorizationConfigFile`, if it is
 * set. Rejects if the file is invalid.
 */
export async function resolveAuthorization(options: ServerOptions): Promise<ServerOptions> {
  const { authorizationConfigFile: file, identifiers } = options;
  if (file === undefined) return options;
  try {
    const group = `apiserver.config.${identifiersOf(identifiers).apiDomain}`;
    return { ...options, authorizationMode: parseAuthorizationConfiguration(await readFile(file, 'utf8'), group) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--authorization-config ${file}: ${problem}`, { cause });
  }
}
