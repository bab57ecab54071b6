// Loaded by mocha before the tests, by `.mocharc.json`: a test that fails or never ends must not hang the run. It ends the process
// where mocha's own timeouts cannot.
import { Worker } from 'node:worker_threads';

/** Time for what the tests have closed to end. What is still open then was forgotten, which fails the run. */
const lingerMs = 60_000;

const beatMs = 1_000;

/** Hooks of the whole run. */
export const mochaHooks = {
  beforeAll(): void {
    const beats = new Int32Array(new SharedArrayBuffer(4));
    setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
    // It looks on from another thread, for a test may block this one for ever.
    new Worker(new URL('./blocked-loop-watch.js', import.meta.url), { workerData: { beats, beatMs } }).unref();
  },
  afterAll(): void {
    setTimeout(() => {
      console.error(
        `the tests are over, but these keep the process alive: ${process.getActiveResourcesInfo().join(', ')}`,
      );
      // Behind mocha's own listener, which sets the code of the results.
      process.once('exit', () => {
        process.exitCode ||= 1;
      });
      process.exit();
    }, lingerMs).unref();
  },
};
