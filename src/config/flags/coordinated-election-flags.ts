import { inSection } from '../../flags/flag-table.ts';
import { duration } from '../../flags/flag-types.ts';

/** The times of the election of the server that elects the leaders of components. */
export const coordinatedElectionFlags = inSection('Leader election', {
  /** The times of the election among servers; the leader elects the leaders of components. */
  coordinatedLeaseDurationMs: {
    flag: 'coordinated-leadership-lease-duration',
    type: duration({ positive: true }),
    default: 15_000,
    help: 'time after which another server elects the leaders of components (feature gate CoordinatedLeaderElection) in place of one that has not renewed its lease',
  },
  coordinatedRenewDeadlineMs: {
    flag: 'coordinated-leadership-renew-deadline',
    type: duration({ positive: true }),
    default: 10_000,
    help: 'time in which that server must renew its lease, or stop to elect leaders',
  },
  coordinatedRetryPeriodMs: {
    flag: 'coordinated-leadership-retry-period',
    type: duration({ positive: true }),
    default: 2_000,
    help: 'time between attempts of servers to take or renew that lease',
  },
});
