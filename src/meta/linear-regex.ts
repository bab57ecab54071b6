import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { lazyModule } from '../package/lazy-module.ts';

const load = createRequire(import.meta.url);
const library = lazyModule(() => load('re2js') as typeof Re2);

/** A compiled regular expression whose matches take linear time. */
export type LinearRegex = Re2.RE2JS;

/**
 * Compiles a regular expression in the syntax of RE2. Throws if it has another syntax. The library
 * takes 1.5 MB, so it is loaded with the first expression.
 */
export function compileLinearRegex(expression: string): LinearRegex {
  return library().RE2JS.compile(expression);
}
