import type * as Yaml from 'yaml';
import { lateModule } from '../../package/late-module.ts';

/** Loads the library for client config files; those in JSON need none. */
export const loadYaml: () => Promise<typeof Yaml> = lateModule(() => import('yaml'));
