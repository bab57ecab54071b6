import type { MergeGroups } from './discovery/discovery-documents.ts';
import type { Exchange } from './request/exchange.ts';

/** The other servers of the store (peers), which may serve resources that this server lacks. */
export interface PeerServers {
  /** Returns the function that merges their groups into discovery. */
  readonly merge: () => MergeGroups;
  /**
   * Forwards a request to a peer that serves its resource; undefined if this server must answer.
   */
  passOn(exchange: Exchange): Promise<void> | undefined;
}
