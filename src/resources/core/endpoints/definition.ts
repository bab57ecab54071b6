import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `endpoints` of the core group. */
export const endpoints = builtIn({
  group: '',
  resource: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['ep'],
  columns,
  strategy,
});
