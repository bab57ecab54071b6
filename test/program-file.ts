import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const { bin } = createRequire(root)('./package.json') as { readonly bin: Readonly<Record<string, string>> };

/** The file of a program as the package contains it, for tests that start it as a process. */
export function programFile(program: 'cl' | 'cl-apiserver' | 'cl-controller-manager'): string {
  return fileURLToPath(new URL(bin[program] ?? '', root));
}
