import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Target, WatchDocument } from '../http-client.ts';

/** A watch whose reader takes nothing until it is told to. */
export interface StuckWatch {
  /** Reads what there is: whole documents, and whether the end behind them was clean. */
  read(): Promise<{ readonly events: readonly WatchDocument[]; readonly clean: boolean }>;
}

/** Opens a watch on a connection of its own and reads nothing of it but the head. */
export async function openStuckWatch(server: Target, path: string): Promise<StuckWatch> {
  const headers = { authorization: `Bearer ${server.token}` };
  const outgoing = request(server.url + path, { ca: server.ca, headers, agent: false });
  // Answers of node:http are such messages.
  const [response] = (await once(outgoing.end(), 'response')) as [IncomingMessage];
  const broken = new Promise<void>((resolve) => {
    response.once('error', () => resolve());
  });
  return {
    async read() {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      await Promise.race([once(response, 'close').catch(() => undefined), broken]);
      const lines = Buffer.concat(pieces).toString('utf8').split('\n');
      // The last one is empty, or was cut with the connection.
      const events = lines.slice(0, -1).map((line) => JSON.parse(line) as WatchDocument);
      return { events, clean: response.complete };
    },
  };
}
