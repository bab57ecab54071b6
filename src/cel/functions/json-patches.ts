import type { Library } from './library.ts';

/**
 * The function that escapes keys of JSON Patch paths (RFC 6901), for expressions that make patches.
 */
export const jsonPatches: Library = {
  functions: [
    ['jsonpatch.escapeKey(string): string', (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')],
  ],
};
