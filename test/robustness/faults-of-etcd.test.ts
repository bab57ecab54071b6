import { testScenarios } from './selected-scenarios.ts';
import { historyIsTakenAway } from './scenarios/compaction.ts';
import { etcdIsKilled } from './scenarios/etcd-ends.ts';
import { leaderIsParted } from './scenarios/partitions.ts';

testScenarios([leaderIsParted, etcdIsKilled, historyIsTakenAway]);
