import type { Duplex } from 'node:stream';
import { afterPoll } from '../../async/timers.ts';

/** The time for a client that sends nothing more to read its last response. */
const quietMs = 500;

/** The time for a client to notice its response while it goes on sending a body. */
const longestMs = 5_000;

/** The most of the rest of a body that is read: larger than any body that a client means well. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Closes a connection after the response that was written to it. The bytes that still come from the
 * client are discarded for a bounded while: closing with unread bytes would reset the connection
 * and lose the response.
 */
export function closeAfterResponse(socket: Duplex): void {
  socket.end();
  let restBytes = mostBytes;
  const destroy = (): void => void socket.destroy();
  const longest = setTimeout(destroy, longestMs).unref();
  const endQuiet = (): void => {
    const restBefore = restBytes;
    afterPoll(() => {
      if (restBytes === restBefore) destroy();
    });
  };
  const quiet = setTimeout(endQuiet, quietMs).unref();
  socket.once('close', () => {
    clearTimeout(longest);
    clearTimeout(quiet);
  });
  const discard = (chunk: Buffer): void => {
    restBytes -= chunk.length;
    if (restBytes < 0) destroy();
    else quiet.refresh();
  };
  // A socket whose request was paused starts to read again with the parser that reads from it, in
  // this turn. Where another listener took it from the parser, it still waits for bytes that nobody
  // reads: the empty chunk ends this.
  setImmediate(() => {
    socket.removeAllListeners('data').on('data', discard).resume();
    socket.push('');
  });
}
