import type { Secret } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { age, name, text } from '../../columns/column.ts';
import { strategy } from './strategy.ts';

/** The resource `secrets` of the core group. */
export const secrets = builtIn<Secret>({
  group: '',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  versions: { v1: {} },
  columns: [
    name,
    text('Type', 'Type of the secret, which tells what its data is for.', ({ type }) => type),
    text('Data', 'Number of keys.', ({ data = {} }) => Object.keys(data).length),
    age,
  ],
  strategy,
});
