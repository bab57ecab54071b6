import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `controllerrevisions` of the group `apps`. */
export const controllerRevisions = builtIn({
  group: 'apps',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  versions: { v1: { introduced: '1.9' } },
  columns,
  strategy,
});
