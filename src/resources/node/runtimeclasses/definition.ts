import type { RuntimeClass } from '../../../gen/stored/node-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `runtimeclasses` of the group `node`. */
export const runtimeClasses = builtIn<RuntimeClass>({
  group: 'node',
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
  versions: {
    v1: { introduced: '1.20' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.22', removed: '1.25' } },
  },
  columns,
  strategy,
});
