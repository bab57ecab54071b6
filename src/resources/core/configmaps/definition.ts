import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `configmaps` of the core group. */
export const configMaps = builtIn({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['cm'],
  columns,
  strategy,
});
