import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { parseAuthorizationConfiguration } from './authorization-configuration.ts';
import { createExpressionLoader } from './expression-loader.ts';
import type { ConfiguredMode } from './flags/authorization-options.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Replaces the authorization modes of the options with those of `authorizationConfigFile`, if it is
 * set. Rejects if the file is invalid.
 */
export async function resolveAuthorization(options: ServerOptions): Promise<ServerOptions> {
  const { authorizationConfigFile: file } = options;
  return file === undefined ? options : { ...options, authorizationMode: await readModes(file, options) };
}

/** Reads the modes of `authorizationConfigFile`. Rejects if the file is invalid. */
export async function readModes(
  file: string,
  { identifiers }: Pick<ServerOptions, 'identifiers'>,
): Promise<readonly ConfiguredMode[]> {
  try {
    const group = `apiserver.config.${identifiersOf(identifiers).apiDomain}`;
    const text = await readFile(file, 'utf8');
    return parseAuthorizationConfiguration(text, group, await createExpressionLoader()(text));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--authorization-config ${file}: ${problem}`, { cause });
  }
}
