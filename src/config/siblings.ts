import type { Socket } from 'node:net';
import type { FamilySnapshot } from '../metrics/family-snapshot.ts';

/** How many connections a process, or all processes together, may have. */
export interface ConnectionNumbers {
  /** Open connections; further ones are closed on accept. */
  readonly maxConnections: number;
  /**
   * Open connections of one client network (`clientNetwork`), so that one client cannot use up
   * all of them.
   */
  readonly maxConnectionsPerAddress: number;
}

/** The address that all processes serve, and how many connections it takes. */
export interface CommonPort {
  readonly address: string;
  readonly port: number;
  readonly limits: ConnectionNumbers;
}

/** The other processes that serve the same port (`--workers`). */
export interface Siblings {
  /**
   * Opens the common port, if it is not open yet, and gives this process its part of the
   * connections. Resolves with the port; rejects if it is in use.
   */
  listen(port: CommonPort, serve: (connection: Socket) => void): Promise<number>;
  /** Sets the function that takes the metrics of this process for another one. */
  offerMetrics(take: () => readonly FamilySnapshot[]): void;
  /** The metrics of the others, without processes that do not respond in time. */
  gatherMetrics(): Promise<readonly (readonly FamilySnapshot[])[]>;
  /** Identifies this start of the program, for all of its processes. */
  readonly start: string;
  /** The number of this process, from 1. */
  readonly number: string;
  /** True if others go on to serve at this address when this process has stopped. */
  readonly remain: boolean;
}
