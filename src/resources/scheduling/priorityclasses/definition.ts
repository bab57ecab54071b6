import type { PriorityClass } from '../../../gen/stored/scheduling-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `priorityclasses` of the group `scheduling`. */
export const priorityClasses = builtIn<PriorityClass>({
  group: 'scheduling',
  resource: 'priorityclasses',
  kind: 'PriorityClass',
  versions: {
    v1: { introduced: '1.14' },
    v1beta1: { introduced: '1.11', deprecated: { since: '1.14', removed: '1.22', replacement: 'v1' } },
  },
  shortNames: ['pc'],
  columns,
  strategy,
});
