import type { Logger } from 'pino';
import { announceToPeers, peerAddress } from '../../aggregator/peers/peer-addresses.ts';
import { pause } from '../../async/timers.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';

/** The dependencies of the address of a server for peers. */
interface PeerPresence {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly serverId: string;
  readonly address: ServerAddress;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Renews the address of a server for peers in the store, until it stops. */
export async function renewPeerAddress(presence: PeerPresence, left: AbortSignal): Promise<void> {
  const { serverId, address, log } = presence;
  const signal = AbortSignal.any([presence.signal, left]);
  while (!signal.aborted) {
    try {
      await announceToPeers({ ...presence, signal }, serverId, address);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the address of this server for peers could not be renewed');
    }
    await pause(peerAddress.refreshMs, signal, { ref: false });
  }
}
