import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { OidcSettings } from '../config/connection-settings.ts';
import { loadYaml } from '../config/config-yaml.ts';
import { CredentialError } from '../config/credential-source.ts';

/**
 * Writes tokens into the user of a client config file, whose other contents and comments stay. The
 * file is replaced as a whole, so that no reader sees a part of it.
 */
export async function writeTokens(
  { file, user }: Pick<OidcSettings, 'file' | 'user'>,
  tokens: Readonly<Record<string, string>>,
): Promise<void> {
  if (file === undefined) return;
  try {
    const { isMap, isSeq, parseDocument } = await loadYaml();
    const document = parseDocument(await readFile(file, 'utf8'));
    const users = document.get('users');
    const items = isSeq(users) ? users.items : [];
    const index = items.findIndex((item) => isMap(item) && item.get('name') === user);
    if (index < 0) return;
    for (const [name, value] of Object.entries(tokens)) {
      document.setIn(['users', index, 'user', 'auth-provider', 'config', name], value);
    }
    const { mode } = await stat(file);
    const partial = `${file}.${process.pid}.partial`;
    await writeFile(partial, document.toString({ lineWidth: 0 }), { mode });
    await rename(partial, file);
  } catch (cause) {
    throw new CredentialError(`cannot write the refreshed tokens into ${file}`, { cause });
  }
}
