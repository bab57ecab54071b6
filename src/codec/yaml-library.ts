import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { lazyModule } from '../package/lazy-module.ts';

const load = createRequire(import.meta.url);

/**
 * Returns the YAML library. It takes 3 MB, which servers without YAML do not need, so it is loaded
 * at the first call: synchronously, because encoders are.
 */
export const yamlLibrary = lazyModule(() => load('yaml') as typeof Yaml);
