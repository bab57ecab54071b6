import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The root folder of this package, which contains package.json and `hack/`: the nearest parent of
 * this file with a package.json. Throws if there is none.
 */
export function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  let folder = start;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`the installation is incomplete: no package.json above ${start}`);
    folder = parent;
  }
  return folder;
}
