import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';

/** The client config that `cl up` wrote last in a data folder; undefined if there is none. */
export async function adminConfigFile(dataDir: string): Promise<string | undefined> {
  const files = identifierSets.map((set) => join(dataDir, `admin.${identifiersOf(set).clientConfig}`));
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const last = Math.max(...times);
  return last === 0 ? undefined : files[times.indexOf(last)];
}
