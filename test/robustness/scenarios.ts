import type { Scenario } from './scenario.ts';
import { leaderIsKilled, leaderStandsStill, majorityIsLost, memberIsOutOfReach } from './scenarios/cluster.ts';
import { historyIsLostToTheServer, historyIsTakenAway, serversCompact } from './scenarios/compaction.ts';
import { etcdIsKilled, etcdIsRestarted, etcdIsRestored } from './scenarios/etcd-ends.ts';
import { connectionsBreak, etcdIsUnreachable, etcdStandsStill, watchBreaks } from './scenarios/etcd-stands-still.ts';
import { responsesAreUnread, bodiesAreUnfinished, serverStopsInAStorm, sessionsAreIdle } from './scenarios/limits.ts';
import { filesRunOut, listsAreLarge, listsStorm } from './scenarios/lists.ts';
import {
  etcdIsParted,
  followersAreParted,
  leaderIsHalfParted,
  leaderIsParted,
  membersAreParted,
} from './scenarios/partitions.ts';
import { quiet } from './scenarios/quiet.ts';
import {
  oneServerIsKilled,
  oneServerLags,
  serverIsKilled,
  serverIsStopped,
  serverStandsStill,
  twoServers,
} from './scenarios/servers-end.ts';
import { clocksAreStepped, diskIsFull, spaceRunsOut } from './scenarios/space-and-time.ts';
import {
  clusterIsRestored,
  disksAreSlow,
  leaderIsLostRegularly,
  memberIsParted,
  memberIsReplaced,
  membersAreDefragmented,
  membersAreUpgraded,
} from './scenarios/three-members.ts';
import { clientsGoAway, watchersAreMany, watchersAreStuck } from './scenarios/watchers.ts';

/** Every scenario of `make robustness`, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  quiet,
  etcdIsKilled,
  etcdIsRestarted,
  etcdIsRestored,
  etcdStandsStill,
  etcdIsUnreachable,
  connectionsBreak,
  watchBreaks,
  historyIsTakenAway,
  historyIsLostToTheServer,
  serversCompact,
  serverIsKilled,
  serverIsStopped,
  serverStandsStill,
  twoServers,
  oneServerLags,
  oneServerIsKilled,
  leaderIsKilled,
  leaderStandsStill,
  memberIsOutOfReach,
  majorityIsLost,
  etcdIsParted,
  leaderIsParted,
  followersAreParted,
  leaderIsHalfParted,
  membersAreParted,
  leaderIsLostRegularly,
  memberIsParted,
  disksAreSlow,
  membersAreDefragmented,
  membersAreUpgraded,
  memberIsReplaced,
  clusterIsRestored,
  spaceRunsOut,
  diskIsFull,
  clocksAreStepped,
  watchersAreStuck,
  watchersAreMany,
  clientsGoAway,
  listsAreLarge,
  listsStorm,
  filesRunOut,
  serverStopsInAStorm,
  responsesAreUnread,
  bodiesAreUnfinished,
  sessionsAreIdle,
];
