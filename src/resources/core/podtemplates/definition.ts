import { builtIn } from '../../built-in.ts';
import { name, text } from '../../columns.ts';
import { strategy } from './strategy.ts';

/** The resource `podtemplates` of the core group. */
export const podTemplates = builtIn({
  group: '',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  versions: { v1: {} },
  columns: [name, text('Containers'), text('Images'), text('Pod Labels')],
  strategy,
});
