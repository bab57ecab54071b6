import type { Strategy } from '../../../registry/strategy.ts';
import { checkImmutableMark } from '../../rules/immutable.ts';
import { validateConfigMap } from './validate.ts';

/** ConfigMaps. */
export const strategy: Strategy = {
  validate: validateConfigMap,
  updateErrors: 'changesFirst',
  validateUpdate: (configMap, old) => checkImmutableMark(configMap, old, ['data', 'binaryData']),
};
