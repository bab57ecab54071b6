import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package, which lies above this file however deep the build puts it: the place of package.json and
 * `hack/`. Throws where no package.json is found.
 */
export function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  let folder = start;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`cl-apiserver is not installed whole: no package.json above ${start}`);
    folder = parent;
  }
  return folder;
}
