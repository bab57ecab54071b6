import type { HorizontalPodAutoscaler } from '../../../gen/stored/autoscaling-v2.ts';
import { builtIn } from '../../built-in.ts';
import { status } from '../../subresources.ts';
import { columns } from './columns.ts';
import { autoscalerConversions } from './convert.ts';
import { strategy } from './strategy.ts';

/** The resource `horizontalpodautoscalers` of the group `autoscaling`. */
export const horizontalPodAutoscalers = builtIn<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  versions: {
    v2: { introduced: '1.23' },
    v1: { introduced: '1.2', conversion: autoscalerConversions.v1 },
    v2beta2: {
      introduced: '1.12',
      deprecated: { since: '1.23', removed: '1.26', replacement: 'v2' },
      conversion: autoscalerConversions.v2beta2,
    },
    v2beta1: {
      introduced: '1.8',
      deprecated: { since: '1.22', removed: '1.25', replacement: 'v2' },
      conversion: autoscalerConversions.v2beta1,
    },
  },
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: [status],
  columns,
  strategy,
});
