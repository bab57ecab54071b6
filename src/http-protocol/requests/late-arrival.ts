import type { Duplex } from 'node:stream';
import { afterPoll } from '../../async/timers.ts';

/** The part of a request that is known when its headers have arrived. */
interface ArrivingRequest {
  /** True once the body has arrived, too. */
  readonly complete: boolean;
}

/** The part of the socket of an HTTP/1.1 connection that shows progress. */
type Connection = Duplex & { readonly bytesRead?: number };

/** The last request of each HTTP/1.1 connection whose headers have arrived. */
const lastRequests = new WeakMap<object, ArrivingRequest>();

/**
 * The maximum number of loop turns for bytes that a late loop has not read yet: more than a full
 * socket needs, and no time for a client that sends single bytes.
 */
const maxTurns = 100;

/** Notes that the headers of a request have arrived over a connection. */
export function noteArrival(connection: object, request: ArrivingRequest): void {
  lastRequests.set(connection, request);
}

/**
 * Calls a function if the request that a connection is receiving has not arrived after all. To be
 * called when Node reports a timeout of the connection, which it does before it reads the bytes
 * that are in the socket.
 */
export function unlessArrived(connection: Connection, giveUp: () => void): void {
  const known = lastRequests.get(connection);
  const hasBody = known?.complete === false;
  // The timeout is for the body of a request, or else for the headers of the next one.
  const arrived = (): boolean => (hasBody ? known.complete : lastRequests.get(connection) !== known);
  let turns = 0;
  const judge = (bytesBefore: number | undefined): void => {
    if (connection.destroyed || arrived()) return;
    if (connection.bytesRead === bytesBefore || ++turns === maxTurns) giveUp();
    else readOn();
  };
  const readOn = (): void => {
    const { bytesRead } = connection;
    afterPoll(() => judge(bytesRead));
  };
  readOn();
}
