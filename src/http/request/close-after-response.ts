import type { Duplex } from 'node:stream';

/** The time for a client to read its last response. */
const lingerMs = 500;

/**
 * Closes a connection after the response that was written to it. Further bytes from the client are
 * discarded: closing with unread bytes would reset the connection and lose the response.
 */
export function closeAfterResponse(socket: Duplex): void {
  socket.end();
  socket.removeAllListeners('data').resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
