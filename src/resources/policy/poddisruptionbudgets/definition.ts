import type { PodDisruptionBudget } from '../../../gen/stored/policy-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { budgetConversion } from './convert.ts';
import { strategy } from './strategy.ts';

/** The resource `poddisruptionbudgets` of the group `policy`. */
export const podDisruptionBudgets = builtIn<PodDisruptionBudget>({
  group: 'policy',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
  versions: {
    v1: { introduced: '1.21' },
    v1beta1: {
      introduced: '1.5',
      deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' },
      conversion: budgetConversion,
    },
  },
  shortNames: ['pdb'],
  subresources: [status],
  columns,
  strategy,
});
