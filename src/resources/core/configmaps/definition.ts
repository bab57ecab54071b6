import type { ConfigMap } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { age, name, text } from '../../columns/column.ts';
import { checkImmutableMark } from '../../rules/fields/immutable.ts';
import { validateConfigMap } from './validate.ts';

/** The resource `configmaps` of the core group. */
export const configMaps = builtIn<ConfigMap>({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['cm'],
  columns: [
    name,
    text(
      'Data',
      'Number of keys, of texts and of binary values.',
      ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
    ),
    age,
  ],
  strategy: {
    validate: validateConfigMap,
    validateUpdate: (configMap, old) => checkImmutableMark(configMap, old, ['data', 'binaryData']),
  },
});
