import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { tuneHeap } from '../../../src/process/tune-heap.ts';

type HeapTuning = NonNullable<Parameters<typeof tuneHeap>[0]>;

const module = fileURLToPath(new URL('../../../src/process/tune-heap.js', import.meta.url));

/**
 * Makes arrays that live through collections, as requests do, which makes V8 enlarge the young generation: for a while of CPU time,
 * or until it is larger than enough.
 */
const load = (milliseconds: number, enoughMebibytes = Number.MAX_SAFE_INTEGER): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as turn } from 'node:timers/promises';
  const recent = [];
  const youngMebibytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20;
  const usedMs = () => Object.values(process.cpuUsage()).reduce((sum, used) => sum + used, 0) / 1_000;
  for (let i = 0; usedMs() < ${milliseconds}; i++) {
    recent[i % 32] = Array.from({ length: 8_000 }, (_, at) => ({ at }));
    await turn();
    if (youngMebibytes() > ${enoughMebibytes}) break;
  }
`;

/** The size of a young generation that V8 enlarges; ours is not larger. */
const tunedMebibytes = 16;

const paced = (pace: HeapTuning): string =>
  `import { tuneHeap } from ${JSON.stringify(module)}; tuneHeap(${JSON.stringify(pace)});`;

function run(program: string, ...flags: readonly string[]): string {
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    maxBuffer: 2 ** 28,
  }).toString();
}

function youngMebibytes(prelude: string, milliseconds: number): number {
  return Number(run(`${prelude}${load(milliseconds, tunedMebibytes)} console.log(youngMebibytes());`));
}

/** How many times as large as after a full collection the heap may become before the next. */
function growthAfter(pace: HeapTuning): number {
  const printed = run(paced(pace) + load(1_000) + 'gc();', '--expose-gc', '--trace-gc-verbose');
  const limits = [...printed.matchAll(/HeapController\] Limit: old size: (\d+) KB, new limit: (\d+) KB/g)];
  const [, size, limit] = limits.at(-1) ?? assert.fail('V8 tells no limit');
  return Number(limit) / Number(size);
}

describe('tuneHeap', function () {
  // V8 tells of a collection some turns after it, in which it may have doubled once more than it should.
  it('keeps the young generation at 8 MiB or 16, where V8 would double it again and again', () => {
    assert.ok(youngMebibytes('', 3_000) > tunedMebibytes, 'the program makes V8 enlarge it');
    assert.ok(youngMebibytes(paced({ sustainedSeconds: 60 }), 1_000) <= tunedMebibytes);
  });

  it('lets it grow once collections have taken too much of the time for long', () => {
    assert.ok(youngMebibytes(paced({ sustainedSeconds: 1 }), 3_000) > tunedMebibytes);
  });

  it('lets the whole heap grow further, too, then', function () {
    // V8 gives away the limit of the last collection only, and on a busy machine there may be none under load.
    this.retries(3);
    // More than V8 ever does of its own accord.
    const heapGrowthPercent = 4_900;
    const [inCalm, underLoad] = [60, 0].map((sustainedSeconds) => growthAfter({ sustainedSeconds, heapGrowthPercent }));
    assert.ok(underLoad && inCalm && underLoad > 3 * inCalm, `${underLoad} against ${inCalm}`);
  });
});
