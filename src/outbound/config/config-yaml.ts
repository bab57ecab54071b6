import type * as Yaml from 'yaml';
import { lazyModule } from '../../package/lazy-module.ts';

/** Loads the library for client config files; those in JSON need none. */
export const loadYaml: () => Promise<typeof Yaml> = lazyModule(() => import('yaml'));
