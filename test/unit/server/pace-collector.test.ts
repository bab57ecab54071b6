import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('../../../src/server/pace-collector.js', import.meta.url));

/** Lives through collections for a while, as requests do, which makes V8 enlarge the young generation. Prints its size in MiB. */
const program = (milliseconds: number): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as turn } from 'node:timers/promises';
  const recent = [];
  for (let i = 0; performance.now() < ${milliseconds}; i++) {
    recent[i % 8] = Array.from({ length: 8_000 }, (_, at) => ({ at }));
    await turn();
  }
  const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  console.log(size / 2 ** 20);
`;

function youngMebibytes(prelude: string, milliseconds: number): number {
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', prelude + program(milliseconds)]).toString(),
  );
}

const bounded = (patienceSeconds: number): string =>
  `import { paceCollector } from ${JSON.stringify(module)}; paceCollector(${patienceSeconds});`;

describe('paceCollector', function () {
  this.timeout(20_000);

  it('keeps the young generation at 8 MiB, where V8 would double it again', () => {
    assert.ok(youngMebibytes('', 1_000) > 10, 'the program makes V8 enlarge it');
    assert.ok(youngMebibytes(bounded(60), 1_000) <= 8);
  });

  it('lets it grow once collections have taken too much of the time for long', () => {
    assert.ok(youngMebibytes(bounded(1), 4_000) > 10);
  });
});
