import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let read: string | undefined;

/** The version in package.json of this package, as of the first call. */
export function packageVersion(): string {
  return (read ??= readVersion());
}

function readVersion(): string {
  // Our package.json always has a version; npm requires it.
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { readonly version: string })
    .version;
}

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
