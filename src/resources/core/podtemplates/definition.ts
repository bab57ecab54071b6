import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `podtemplates` of the core group. */
export const podTemplates = builtIn({
  group: '',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  versions: { v1: {} },
  columns,
  strategy,
});
