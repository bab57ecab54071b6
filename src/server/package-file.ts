import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of this package's package.json, which lies above this file whatever the build folder is called. */
export function packageFile(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('package.json of cl-apiserver is missing');
    folder = parent;
  }
  return path.join(folder, 'package.json');
}
