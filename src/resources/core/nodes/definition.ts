import { builtIn } from '../../built-in.ts';
import { age, name, text, wide } from '../../columns.ts';
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
  columns: [
    name,
    text('Status'),
    text('Roles'),
    age,
    text('Version'),
    wide('Internal-IP'),
    wide('External-IP'),
    wide('OS-Image'),
    wide('Kernel-Version'),
    wide('Container-Runtime'),
  ],
  strategy,
});
