import assert from 'node:assert/strict';
import { seedOfRun } from './random.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

const scale = 0.2;
/** Part of the usual requests a second: a brief run that is checked need not be a busy one. */
const rateShare = 0.5;
/** A slow machine with other work makes this many; with fewer, a run proves nothing. */
const minimumShare = 0.05;
/** On a busy machine a run may meet nothing that it is about. */
const tries = 3;

/** Declares a test for each scenario, briefly; `make robustness` has all faults, and more of each. */
export function testScenarios(scenarios: readonly Scenario[]): void {
  describe('All promises of reads, writes and watches hold', function () {
    this.timeout(tries * 120_000);
    const seed = seedOfRun();
    const options = { seed, scale, rateShare, minimumShare };

    for (const scenario of scenarios) {
      it(scenario.name, async () => {
        let outcome = await runScenario(scenario, options);
        for (let run = 1; run < tries && outcome.findings.length === 0 && outcome.void !== undefined; run += 1) {
          outcome = await runScenario(scenario, options);
        }
        const replay = `ROBUSTNESS_SEED=${seed}`;
        assert.deepEqual(outcome.findings, [], `${replay}, ${outcome.label}`);
        assert.equal(outcome.void, undefined, `${replay}: the run proves nothing`);
      });
    }
  });
}
