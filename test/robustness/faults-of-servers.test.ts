import { testScenarios } from './selected-scenarios.ts';
import { historyIsLostToTheServer } from './scenarios/compaction.ts';
import { oneServerLags, serverIsKilled } from './scenarios/servers-end.ts';

testScenarios([historyIsLostToTheServer, serverIsKilled, oneServerLags]);
