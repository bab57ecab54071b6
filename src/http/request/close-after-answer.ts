import type { Duplex } from 'node:stream';

/** Time for a client to read its last answer. */
const lingerMs = 500;

/**
 * Closes a connection behind the answer that was written to it. What the client still sends is read
 * and thrown away: closing on unread bytes would reset the connection and take the answer along.
 */
export function closeAfterAnswer(socket: Duplex): void {
  socket.end();
  socket.removeAllListeners('data').resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
