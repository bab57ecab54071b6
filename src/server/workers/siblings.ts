import type { Socket } from 'node:net';
import type { FamilySnapshot } from '../../metrics/family-snapshot.ts';

/** The other processes that serve the same port (`--workers`). */
export interface Siblings {
  /**
   * Opens the common port, if it is not open yet, and gives this process its part of the
   * connections. Resolves with the port; rejects if it is in use.
   */
  listen(address: string, port: number, serve: (connection: Socket) => void): Promise<number>;
  /** Sets the function that takes the metrics of this process for another one. */
  offerMetrics(take: () => readonly FamilySnapshot[]): void;
  /** The metrics of the others. Those of a process that does not respond in time are missing. */
  gatherMetrics(): Promise<readonly (readonly FamilySnapshot[])[]>;
  /** True if others go on to serve at this address when this process has stopped. */
  readonly remain: boolean;
}
