import type { Node } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { status } from '../../subresources.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `nodes` of the core group. */
export const nodes = builtIn<Node>({
  group: '',
  resource: 'nodes',
  kind: 'Node',
  versions: { v1: {} },
  shortNames: ['no'],
  subresources: [status],
  columns,
  strategy,
});
