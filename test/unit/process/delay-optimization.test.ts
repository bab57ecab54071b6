import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('../../../src/process/delay-optimization.js', import.meta.url));

/** Prints after how many thousand calls V8 has optimized a function: before, during and after the delay. */
const program = `
  import { delayOptimization } from ${JSON.stringify(module)};
  const untilOptimized = () => {
    const sum = new Function('a', 'b', 'return a + b;');
    for (let thousands = 1; thousands < 2_000; thousands++) {
      for (let i = 0; i < 1_000; i++) sum(i, thousands);
      if (%ActiveTierIsTurbofan(sum)) return thousands;
    }
  };
  // Once optimized, it would contain the function that it calls.
  %NeverOptimizeFunction(untilOptimized);
  const before = untilOptimized();
  const optimizeAsUsual = delayOptimization();
  const delayed = untilOptimized();
  optimizeAsUsual();
  console.log(JSON.stringify([before, delayed, untilOptimized()]));
`;

describe('delayOptimization', () => {
  it('makes V8 optimize functions later, until its end', () => {
    const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--input-type=module'];
    const printed = execFileSync(process.execPath, [...flags, '-e', program], { timeout: 30_000 }).toString();
    const [before, delayed, after] = JSON.parse(printed) as [number, number, number];
    assert.ok(delayed >= 4 * before, `${delayed} instead of ${before} thousand calls`);
    assert.ok(after <= 2 * before, `${after} instead of ${before} thousand calls`);
  });
});
