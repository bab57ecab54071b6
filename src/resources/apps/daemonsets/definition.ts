import { builtIn } from '../../built-in.ts';
import { age, integer, name, text, workloadWithSelector } from '../../columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `daemonsets` of the group `apps`. */
export const daemonSets = builtIn({
  group: 'apps',
  resource: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['ds'],
  categories: ['all'],
  subresources: [status],
  columns: [
    name,
    integer('Desired'),
    integer('Current'),
    integer('Ready'),
    integer('Up-to-date'),
    integer('Available'),
    text('Node Selector'),
    age,
    ...workloadWithSelector,
  ],
  strategy,
});
