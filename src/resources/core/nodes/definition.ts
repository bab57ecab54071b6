import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `nodes` of the core group. */
export const nodes = builtIn({
  group: '',
  resource: 'nodes',
  kind: 'Node',
  versions: { v1: {} },
  shortNames: ['no'],
  subresources: [status],
  columns,
  strategy,
});
