import type { Library } from './library.ts';

/** Keys in the paths of JSON Patch (RFC 6901), in expressions that make patches. */
export const jsonPatches: Library = {
  functions: [
    ['jsonpatch.escapeKey(string): string', (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')],
  ],
};
