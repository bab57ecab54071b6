import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

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
