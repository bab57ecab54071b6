import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';

/** The resource `componentstatuses` of the core group. */
export const componentStatuses = builtIn({
  group: '',
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  versions: {
    v1: { deprecated: { since: '1.19' } },
  },
  shortNames: ['cs'],
  verbs: ['get', 'list'],
  columns,
});
