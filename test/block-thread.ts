/** Stands still with the calling thread, and so with its event loop, without using CPU time. */
export function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
