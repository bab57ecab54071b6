import type { APIService } from '../../../gen/stored/apiregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `apiservices` of the group `apiregistration`. */
export const apiServices = builtIn<APIService>({
  group: 'apiregistration',
  resource: 'apiservices',
  kind: 'APIService',
  versions: {
    v1: { introduced: '1.10' },
    v1beta1: { introduced: '1.7', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  categories: ['api-extensions'],
  subresources: [status],
  columns,
  strategy,
});
