import type { PriorityLevelConfiguration } from '../../../gen/stored/flowcontrol-v1beta2.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `prioritylevelconfigurations` of the group `flowcontrol`. */
export const priorityLevelConfigurations = builtIn<PriorityLevelConfiguration>({
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  versions: {
    v1beta2: { introduced: '1.23' },
    v1beta1: { introduced: '1.20', deprecated: { since: '1.23', removed: '1.26', replacement: 'v1beta2' } },
  },
  subresources: [status],
  columns,
  strategy,
});
