import type { Strategy } from '../../../registry/strategy.ts';
import { validateConfigMap } from './validate.ts';

/** ConfigMaps. */
export const strategy: Strategy = {
  validate: (configMap, _context, old) => validateConfigMap(configMap, old),
};
