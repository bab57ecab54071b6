import { inSection } from '../../flags/flag-table.ts';
import { duration, integer, number } from '../../flags/flag-types.ts';

/** The flags of the controller of nodes. */
export const nodeLifecycleFlags = inSection('Nodes', {
  'node-monitor-period': {
    type: duration({ positive: true }),
    default: 5000,
    help: 'time between two looks at the state of nodes',
  },
  'node-monitor-grace-period': {
    type: duration({ positive: true }),
    default: 40_000,
    help: 'time without a sign of life after which a node counts as lost',
  },
  'node-startup-grace-period': {
    type: duration({ positive: true }),
    default: 60_000,
    help: 'the same, of a node that has reported nothing yet',
  },
  'node-eviction-rate': {
    type: number('nodes'),
    default: 0.1,
    help: 'nodes of a zone whose pods are evicted in a second',
  },
  'secondary-node-eviction-rate': {
    type: number('nodes'),
    default: 0.01,
    help: 'the same, of a large zone with many nodes in trouble; small ones evict none',
  },
  'large-cluster-size-threshold': {
    type: integer('nodes', 0),
    default: 50,
    help: 'number of nodes from which on a zone is large',
  },
  'unhealthy-zone-threshold': {
    type: number('share'),
    default: 0.55,
    help: 'share of nodes that are not ready, from which on a zone is in trouble',
  },
});
