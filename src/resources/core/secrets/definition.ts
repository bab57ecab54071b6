import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `secrets` of the core group. */
export const secrets = builtIn({
  group: '',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  versions: { v1: {} },
  columns,
  strategy,
});
