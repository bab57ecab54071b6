/**
 * To be called by a timer: calls a function once the event loop has read what the sockets hold.
 * Timers run first where the loop was late, so that a time limit that a timer judges at once counts
 * bytes as missing that arrived in time.
 */
export function afterPoll(judge: () => void): void {
  // Immediates run after the loop has polled.
  setImmediate(judge);
}
