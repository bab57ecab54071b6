import type { MergeGroups } from './discovery/discovery-documents.ts';
import type { Exchange } from './request/exchange.ts';

/** The other servers of the store, which may serve resources that this one does not. */
export interface PeerServers {
  /** Returns the function that adds their groups to discovery. */
  readonly merge: () => MergeGroups;
  /** Passes a request on to one that serves its resource; undefined if this server answers it. */
  passOn(exchange: Exchange): Promise<void> | undefined;
}
