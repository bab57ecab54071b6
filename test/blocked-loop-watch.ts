// Thread of `watchdog.ts`: ends the process when its event loop has stood still for longer than any test may block it.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** No test blocks the loop for a tenth of it. */
const blockedMs = 120_000;

// What `watchdog.ts` passes.
const { beats, beatMs } = workerData as { readonly beats: Int32Array; readonly beatMs: number };
let known = -1;
let missed = 0;

// Counted in turns of this thread: a machine that was suspended stops both.
setInterval(() => {
  const now = Atomics.load(beats, 0);
  missed = now === known ? missed + 1 : 0;
  known = now;
  if (missed * beatMs < blockedMs) return;
  writeSync(2, `the event loop has been blocked for ${blockedMs / 1_000} s\n`);
  process.kill(process.pid, 'SIGKILL');
}, beatMs);
