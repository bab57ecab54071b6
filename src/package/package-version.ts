import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** The version in this package's package.json. */
export function packageVersion(): string {
  // Our package.json always has a version; npm requires it.
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { readonly version: string })
    .version;
}
