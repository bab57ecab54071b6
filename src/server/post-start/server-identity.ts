import type { Logger } from 'pino';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { isSince } from '../../scheme/api-release.ts';
import { writeStorageVersions } from './write-storage-versions.ts';
import { deleteIdentityLease, keepIdentityLease, renewIdentityLease } from './identity-lease.ts';
import { renewPeerAddress } from './renew-peer-address.ts';
import { withdrawFromPeers } from '../../aggregator/peers/peer-addresses.ts';
import { hostOf } from '../../outbound/backend.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';

/** The identity of a server of a store: a Lease, StorageVersions and an address for peers. */
export interface ServerIdentity {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly store: ObjectStore;
  readonly prefix: string;
  /** The emulated release. */
  readonly release: string;
  /** The identity of this server; undefined: there is no identity Lease. */
  readonly serverId: string | undefined;
  /** A random ID of this start of the program, for all of its processes. */
  readonly serverStart: string;
  /** The validity of the identity Lease, and the time between renewals. */
  readonly leaseTimes: { readonly validSeconds: number; readonly renewMs: number };
  /** Returns the address for peers, given the port; undefined: there are no peers. */
  readonly peerAddress: ((port: number) => ServerAddress) | undefined;
  /** True if this server publishes StorageVersions. */
  readonly storageVersions: boolean;
  /** Starts to follow the other servers of the store. */
  readonly followPeers: () => void;
  /** Resolves with the port when the server listens. */
  readonly listening: Promise<number>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Publishes the StorageVersions of this server, after its identity Lease. */
export async function publishStorageVersions(dependencies: ServerIdentity): Promise<void> {
  const { serverId, storageVersions } = dependencies;
  if (!storageVersions || serverId === undefined) return;
  await renewIdentityLease({ ...dependencies, serverId, peerAddress: undefined });
  await writeStorageVersions({ ...dependencies, serverId });
}

/** Renews the identity Lease of this server, and its address for peers. */
export async function identify(dependencies: ServerIdentity, left: AbortSignal): Promise<void> {
  const { serverId, peerAddress, listening, followPeers } = dependencies;
  if (serverId === undefined) return;
  followPeers();
  const address = peerAddress?.(await listening);
  const text = address && hostOf(address);
  const work = [keepIdentityLease({ ...dependencies, serverId, peerAddress: text }, left)];
  if (address) work.push(renewPeerAddress({ ...dependencies, serverId, address }, left));
  await Promise.all(work);
}

/** The first release in which a server that stops deletes its Lease. */
const leaseEndsSince = '1.36';

/** Removes the identity Lease of this server, and its address for peers. */
export async function giveUpIdentity(dependencies: ServerIdentity, serverId: string): Promise<void> {
  const { release, peerAddress, log, signal } = dependencies;
  try {
    if (peerAddress) await withdrawFromPeers(dependencies, serverId);
    if (isSince(release, leaseEndsSince))
      await deleteIdentityLease({ ...dependencies, serverId, peerAddress: undefined });
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the identity of this server could not be removed');
  }
}
