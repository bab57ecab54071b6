import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file of a module of this package that is loaded by its path: a thread, or a program. `module`
 * is relative to `src/`, without extension. The file belongs to the same form of the package as the
 * caller: bundled, compiled or source. Throws if it is missing.
 */
export function moduleFile(module: string): string {
  const file = `${module}${own.slice(own.lastIndexOf('.'))}`;
  const found = findAbove(file);
  if (found === undefined) throw new Error(`the installation is incomplete: no ${file} above ${own}`);
  return found;
}

/**
 * The text of a module that the bundle has with all that it imports, as a script; undefined in the
 * compiled form of the package, and in its source.
 */
export function bundledScript(module: string): string | undefined {
  const found = findAbove(`${module}.cjs`);
  return found === undefined ? undefined : readFileSync(found, 'utf8');
}

/**
 * The folder of a file of the bundle that is neither program nor library, such as
 * `pages/index.html`, for callers in any form of the package. Throws if it is missing.
 */
export function bundledFolder(file: string): string {
  const found = findAbove(join('bundle', file)) ?? findAbove(file);
  if (found === undefined) throw new Error(`the installation is incomplete: no ${file} above ${own}`);
  return dirname(found);
}

const own = fileURLToPath(import.meta.url);

function findAbove(file: string): string | undefined {
  for (let folder = dirname(own); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, file);
    if (existsSync(found)) return found;
  }
  return undefined;
}
