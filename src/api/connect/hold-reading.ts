import type { Socket } from 'node:net';

/**
 * Keeps received bytes in a socket until the returned function is called. Node resumes the socket
 * at the end of each request; bytes that arrive before a `data` listener is added would be lost. A
 * stream with a `readable` listener does not flow.
 */
export function holdReading(socket: Socket): () => void {
  socket.on('readable', ignore);
  return () => socket.off('readable', ignore);
}

function ignore(): void {}
