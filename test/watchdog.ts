// Mocha loads this before the tests, by `.mocharc.json`. A test that fails or never ends must not hang the run: where
// mocha's own timeouts cannot, this ends the process. In a parallel run each worker has its own, for each of its files.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Time for what the tests have closed to end. What is open after that was forgotten, which fails the run. */
const lingerMs = 20_000;

const beatMs = 1_000;

/** Resources that keep the process alive before the tests: its pipes, and the channel to mocha. */
let before: readonly string[] | undefined;

let watch: Worker | undefined;

/** Hooks of a run, or of a file in a parallel run. */
export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    if (before === undefined) start();
    watch?.postMessage(filesOf(this).join(', '), []);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(2 * lingerMs);
    const end = performance.now() + lingerMs;
    while (leftOpen().length > 0) {
      if (performance.now() > end) {
        const left = leftOpen().join(', ');
        // The next file of this worker is not to blame.
        before = withoutTimer(process.getActiveResourcesInfo());
        throw new Error(`${filesOf(this).join(', ')}: these keep the process alive: ${left}`);
      }
      await sleep(20);
    }
  },
};

function start(): void {
  before = withoutTimer(process.getActiveResourcesInfo());
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
  // In another thread, because a test may block this one for ever.
  watch = new Worker(new URL('./blocked-loop-watch.js', import.meta.url), { workerData: { beats, beatMs } });
  watch.unref();
}

/** Files of the run, or the one of a parallel run. */
function filesOf({ test }: Mocha.Context): readonly string[] {
  const files = test?.parent?.suites.map(({ file }) => file) ?? [];
  return [...new Set(files.filter((file) => file !== undefined))].slice(0, 3);
}

/** Resources that the tests opened and that still keep the process alive. */
function leftOpen(): readonly string[] {
  const known = [...(before ?? [])];
  return withoutTimer(process.getActiveResourcesInfo()).filter((type) => {
    const index = known.indexOf(type);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

/** All but one timer, by which mocha limits the time of a hook. */
function withoutTimer(types: readonly string[]): readonly string[] {
  return types.toSpliced(types.indexOf('Timeout'), types.includes('Timeout') ? 1 : 0);
}
