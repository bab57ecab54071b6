import type { ControllerRevision } from '../../../gen/stored/apps-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `controllerrevisions` of the group `apps`. */
export const controllerRevisions = builtIn<ControllerRevision>({
  group: 'apps',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
    v1beta1: { introduced: '1.7', deprecated: { since: '1.8', removed: '1.16', replacement: 'v1' } },
  },
  columns,
  strategy,
});
