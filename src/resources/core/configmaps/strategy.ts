import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { checkImmutableMark } from '../../rules/immutable.ts';
import { validateConfigMap } from './validate.ts';

/** ConfigMaps. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'configmaps',
  strategy: {
    validate: validateConfigMap,
    updateErrors: 'changesFirst',
    validateUpdate: (configMap, old) => checkImmutableMark(configMap, old, ['data', 'binaryData']),
  },
};
