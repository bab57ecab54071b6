import type { EndpointSlice } from '../../../gen/stored/discovery-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { endpointSliceConversion } from './convert.ts';
import { strategy } from './strategy.ts';

/** The resource `endpointslices` of the group `discovery`. */
export const endpointSlices = builtIn<EndpointSlice>({
  group: 'discovery',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  versions: {
    v1: { introduced: '1.21' },
    v1beta1: {
      introduced: '1.17',
      deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' },
      conversion: endpointSliceConversion,
    },
  },
  columns,
  strategy,
});
