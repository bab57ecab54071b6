import type { Strategy } from '../../../registry/strategy.ts';
import { validateConfigMap } from './validate.ts';

/** The strategy of ConfigMaps. */
export const strategy: Strategy = {
  validate: (configMap, _context, old) => validateConfigMap(configMap, old),
};
