import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file of a module of this package that is loaded by its path: a thread, or a program. `module`
 * is relative to `src/`, without extension. The file belongs to the same form of the package as the
 * caller: bundled, compiled or source. Throws if it is missing.
 */
export function moduleFile(module: string): string {
  const own = fileURLToPath(import.meta.url);
  const file = `${module}${own.slice(own.lastIndexOf('.'))}`;
  for (let folder = dirname(own); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, file);
    if (existsSync(found)) return found;
  }
  throw new Error(`the installation is incomplete: no ${file} above ${own}`);
}
