// Thread of `watchdog.ts`: ends the process when its event loop has stood still for longer than any test may block it.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** CPU time of a loop that spins. No test blocks the loop for a tenth of it. */
const spinningSeconds = 60;
/** Beats of a loop that waits for another process, or that a busy machine lets run too seldom to tell. */
const waitingBeats = 600;

// What `watchdog.ts` passes.
const { beats, beatMs } = workerData as { readonly beats: Int32Array; readonly beatMs: number };
let file = '';
let last = -1;
let missed = 0;
let usageAtLast = process.cpuUsage();

parentPort?.on('message', (started: string) => {
  file = started;
});

// Counted in turns of this thread: a machine that was suspended stops both.
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== last) {
    last = now;
    missed = 0;
    usageAtLast = process.cpuUsage();
    return;
  }
  missed++;
  const { user, system } = process.cpuUsage(usageAtLast);
  const seconds = (user + system) / 1_000_000;
  if (seconds < spinningSeconds && missed < waitingBeats) return;
  const words = `${missed} beats of ${beatMs} ms, ${Math.round(seconds)} s of CPU time`;
  writeSync(2, `${file}: the event loop has been blocked for ${words}\n`);
  process.kill(process.pid, 'SIGKILL');
}, beatMs);
