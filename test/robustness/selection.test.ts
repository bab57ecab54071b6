import assert from 'node:assert/strict';
import { seedOfRun } from './random.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { leaderIsKilled } from './scenarios/cluster.ts';
import { historyIsLostToTheServer, historyIsTakenAway } from './scenarios/compaction.ts';
import { etcdIsKilled } from './scenarios/etcd-ends.ts';
import { leaderIsParted } from './scenarios/partitions.ts';
import { oneServerLags, serverIsKilled } from './scenarios/servers-end.ts';

/** What every `make test` runs, briefly; `make robustness` has all faults, and more of each. */
const selection: readonly Scenario[] = [
  etcdIsKilled,
  historyIsTakenAway,
  historyIsLostToTheServer,
  serverIsKilled,
  oneServerLags,
  leaderIsKilled,
  leaderIsParted,
];

const scale = 0.2;
/** A slow machine with other work makes this many after a cold start; with fewer, a run proves nothing. */
const minimumShare = 0.05;

describe('All promises of reads, writes and watches hold', function () {
  this.timeout(120_000);
  const seed = seedOfRun();

  for (const scenario of selection) {
    it(scenario.name, async () => {
      const outcome = await runScenario(scenario, { seed, scale, minimumShare });
      const replay = `ROBUSTNESS_SEED=${seed}`;
      assert.deepEqual(outcome.findings, [], `${replay}, ${outcome.label}`);
      assert.equal(outcome.void, undefined, `${replay}: the run proves nothing`);
    });
  }
});
